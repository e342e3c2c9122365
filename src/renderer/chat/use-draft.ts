import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { callBridge, queryKey } from '../bridge.ts';
import { showFailure } from '../design/toasts.tsx';
import { unsaved } from '../shared/unsaved-drafts.ts';
import { t } from '../words.tsx';
import { isSame, type Written } from './writing/written.ts';

/** The pause in typing before the draft is saved, in milliseconds. */
const pause = 400;

/** The draft in the composer; saved during typing, and when the conversation or the page is left. */
export function useDraft(conversation: Conversation): [Written, (written: Written) => void] {
  const client = useQueryClient();
  const [written, setWritten] = useState<Written>(() => ({
    text: conversation.draft,
    mentions: conversation.draftMentions,
  }));
  const latest = useRef(written);
  const saved = useRef(written);

  const save = useEffectEvent(async () => {
    const { id } = conversation;
    const { text: draft, mentions } = latest.current;
    if (isSame(latest.current, saved.current)) return;
    saved.current = latest.current;
    const draftMentions = [...mentions];
    client.setQueryData<Conversation>(
      queryKey('conversations.get', { id }),
      (known) => known && { ...known, draft, draftMentions },
    );
    await callBridge('conversations.saveDraft', { id, text: draft, mentions: draftMentions }).catch((error) =>
      showFailure(error, t('action.saveDraft')),
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text starts the pause again
  useEffect(() => {
    const timer = setTimeout(() => void save(), pause);
    return () => clearTimeout(timer);
  }, [written]);
  useEffect(() => {
    const saveNow = () => save();
    unsaved.add(saveNow);
    window.addEventListener('pagehide', saveNow);
    return () => {
      unsaved.delete(saveNow);
      window.removeEventListener('pagehide', saveNow);
      void save();
    };
  }, []);

  const change = (next: Written) => {
    latest.current = next;
    setWritten(next);
  };
  return [written, change];
}
