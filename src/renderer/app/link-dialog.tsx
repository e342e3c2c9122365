import { useEffect, useEffectEvent, useState } from 'react';
import { shortAddress } from '../../base/person-name.ts';
import type { OpenedLink } from '../../bridge/shapes/app.ts';
import { callBridge, useBridgeEvent, useCommand } from '../bridge.ts';
import { Confirmation } from '../design/dialog.tsx';
import type { FirstLink } from '../first-run/step.ts';
import { InviteDialog } from '../invites/invite-dialog.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

interface LinkDialogProps {
  first: FirstLink | null;
  /** Reports that the link of first run is opened. */
  onFirst: () => void;
}

/** Confirmation for a link from outside the app that requests a chat, or that is an invite. */
export function LinkDialog({ first, onFirst }: LinkDialogProps) {
  const [link, setLink] = useState<OpenedLink | null>(null);
  const { openConversation } = useNavigation();
  const follow = useCommand('invites.accept', {
    showsFailure: true,
    onSuccess: ({ conversationId }) => openConversation(conversationId),
    // The dialog reports the reason, and can try again.
    onError: (_, { text }) => setLink({ kind: 'invite', text }),
  });
  const openFirst = useEffectEvent((given: FirstLink) => {
    onFirst();
    if (given.kind === 'invite' && given.isAgreed) follow.mutate({ text: given.text });
    else setLink(given);
  });
  useEffect(() => {
    if (first) openFirst(first);
  }, [first]);
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
