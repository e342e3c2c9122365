import { useEffect, useEffectEvent, useState } from 'react';
import { shortAddress } from '../../base/person-name.ts';
import type { OpenedLink } from '../../bridge/shapes/app.ts';
import { callBridge, useBridgeEvent } from '../bridge.ts';
import { Confirmation } from '../design/dialog.tsx';
import { InviteDialog } from '../invites/invite-dialog.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

/** Confirmation for a link from outside the app that requests a chat, or that is an invite. */
export function LinkDialog() {
  const [link, setLink] = useState<OpenedLink | null>(null);
  const openPendingLink = useEffectEvent(() => {
    callBridge('host.receiveLink', {}).then(
      (answer) => answer.link && setLink(answer.link),
      // Locked meanwhile: the link is fetched after unlocking.
      () => undefined,
    );
  });
  useEffect(() => openPendingLink(), []);
  useBridgeEvent('link.waiting', () => openPendingLink());
  const close = () => setLink(null);
  return (
    <>
      <ContactDialog address={link?.kind === 'contact' ? link.address : null} onClose={close} />
      <InviteDialog onClose={close} text={link?.kind === 'invite' ? link.text : null} />
    </>
  );
}

function ContactDialog({ address, onClose }: { address: string | null; onClose: () => void }) {
  const { openPerson } = useOpenPerson();
  const mayAct = useMayAct();
  const openWithoutQuestion = useEffectEvent((contact: string) => {
    onClose();
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
      onClose={onClose}
      onConfirm={() => address !== null && openPerson(address)}
      open={address !== null && mayAct}
      title={address === null ? '' : t('app.linkTitle', { address: shortAddress(address) })}
    />
  );
}
