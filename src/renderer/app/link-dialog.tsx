import { useEffect, useEffectEvent, useState } from 'react';
import { shortAddress } from '../../base/person-name.ts';
import { callBridge, useBridgeEvent } from '../bridge.ts';
import { Confirmation } from '../design/dialog.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

/** Confirmation for a link from outside the app that requests a chat. */
export function LinkDialog() {
  const [address, setAddress] = useState<string | null>(null);
  const { openPerson } = useOpenPerson();
  const mayAct = useMayAct();
  const openPendingLink = useEffectEvent(() => {
    callBridge('host.receiveLink', {}).then(
      ({ contact }) => contact && setAddress(contact.address),
      // Locked meanwhile: the link is fetched after unlocking.
      () => undefined,
    );
  });
  useEffect(() => openPendingLink(), []);
  useBridgeEvent('link.waiting', () => openPendingLink());
  const openWithoutQuestion = useEffectEvent((contact: string) => {
    setAddress(null);
    openPerson(contact);
  });
  // There is nothing to confirm: the chat is there, or the reason is shown.
  useEffect(() => {
    if (address !== null && !mayAct) openWithoutQuestion(address);
  }, [address, mayAct]);
  return (
    <Confirmation
      action={t('app.linkAction')}
      tone="primary"
      explanation={t('app.linkText', { address: address ?? '' })}
      onClose={() => setAddress(null)}
      onConfirm={() => address !== null && openPerson(address)}
      open={address !== null && mayAct}
      title={address === null ? '' : t('app.linkTitle', { address: shortAddress(address) })}
    />
  );
}
