import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { shortAddress } from '../../base/person-name.ts';
import type { OpenedLink } from '../../bridge/shapes/app.ts';
import { callBridge, useBridgeEvent, useCommand } from '../bridge.ts';
import { Confirmation } from '../design/dialog.tsx';
import { isSameLink } from '../first-run/first-links.ts';
import type { FirstLink } from '../first-run/step.ts';
import { InviteDialog } from '../invites/invite-dialog.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';

interface LinkDialogProps {
  /** Links of first run, opened one after the other. */
  firsts: FirstLink[];
  /** Reports that the chat of a link is open, or that the person dismissed the link. */
  onFirst: (link: OpenedLink) => void;
  /** Reports that an agreed invite could not be opened. */
  onRefused: (invite: { text: string }) => void;
}

interface Links {
  shown: OpenedLink | null;
  /** Opened meanwhile. */
  later: OpenedLink | null;
  /** Number of links that were shown directly after another one: each has a dialog of its own. */
  turn: number;
}

/** Confirmation for a link from outside the app that requests a chat, or that is an invite. */
export function LinkDialog({ firsts, onFirst, onRefused }: LinkDialogProps) {
  const [{ shown: link, turn }, setLinks] = useState<Links>({ shown: null, later: null, turn: 0 });
  const show = (given: OpenedLink) => setLinks((now) => withNewest(now, given));
  const { openConversation } = useNavigation();
  const follow = useCommand('invites.accept', {
    showsFailure: true,
    onSuccess: ({ conversationId }, { text }) => {
      openConversation(conversationId);
      onFirst({ kind: 'invite', text });
    },
    // The dialog reports the reason, and can try again.
    onError: (_, invite) => onRefused(invite),
  });
  // React's strict mode runs effects twice.
  const isFollowed = useRef(false);
  const openFirst = useEffectEvent(() => {
    const [first] = firsts;
    if (first?.kind === 'invite' && first.isAgreed) {
      if (!isFollowed.current) follow.mutate({ text: first.text });
      isFollowed.current = true;
    } else if (first) setLinks((now) => (now.shown ? now : { ...now, shown: first }));
  });
  const firstKey = firsts[0] && `${targetOf(firsts[0])} ${firsts[0].isAgreed === true}`;
  useEffect(() => {
    if (firstKey !== undefined) openFirst();
  }, [firstKey]);
  const openPendingLink = useEffectEvent(() => {
    callBridge('host.receiveLink', {}).then(
      (answer) => answer.link && show(answer.link),
      // Locked meanwhile: the link is fetched after unlocking.
      () => undefined,
    );
  });
  useEffect(() => openPendingLink(), []);
  useBridgeEvent('link.waiting', () => openPendingLink());
  const close = () => {
    if (!link) return;
    onFirst(link);
    const [next] = firsts.filter((each) => !each.isAgreed && !isSameLink(each, link));
    setLinks((now) => {
      if (now.shown !== link) return now;
      const shown = next ?? now.later;
      return { shown, later: next ? now.later : null, turn: shown ? now.turn + 1 : now.turn };
    });
  };
  const [address, text] = [
    link?.kind === 'contact' ? link.address : null,
    link?.kind === 'invite' ? link.text : null,
  ];
  return (
    <>
      <ContactDialog address={address} key={`contact ${turn}`} onClose={close} />
      <InviteDialog key={`invite ${turn}`} onClose={close} text={text} />
    </>
  );
}

/** A page can open links at any time: the question does not change while the person answers it. The newest one waits for its end. */
function withNewest(links: Links, given: OpenedLink): Links {
  if (!links.shown) return { ...links, shown: given };
  return { ...links, later: targetOf(links.shown) === targetOf(given) ? null : given };
}

const targetOf = (link: OpenedLink) => (link.kind === 'contact' ? link.address : link.text);

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
