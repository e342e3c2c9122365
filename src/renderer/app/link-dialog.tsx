import { useEffect, useEffectEvent, useState } from 'react';
import { ask, useBridgeEvent } from '../bridge.ts';
import { Confirmation } from '../design/dialog.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { shortAddress } from '../shared/address.ts';

/** A link from outside the app asks for a chat: the person says whether they want it. */
export function LinkDialog() {
  const [address, setAddress] = useState<string | null>(null);
  const { openPerson } = useOpenPerson();
  const take = useEffectEvent(() => {
    ask('host.takeLink', {}).then(
      ({ contact }) => contact && setAddress(contact.address),
      // Locked meanwhile: the link is asked for when it is open again.
      () => undefined,
    );
  });
  useEffect(() => take(), []);
  useBridgeEvent('link.waiting', () => take());
  return (
    <Confirmation
      action="Open chat"
      explanation={`A link that you opened asks for a chat with ${address ?? ''}. Nothing is sent before you write.`}
      onClose={() => setAddress(null)}
      onConfirm={() => address !== null && openPerson(address)}
      open={address !== null}
      title={address === null ? '' : `Open a chat with ${shortAddress(address)}?`}
    />
  );
}
