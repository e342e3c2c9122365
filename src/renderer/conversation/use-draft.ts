import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Conversation } from '../../bridge/shapes.ts';
import { ask, queryKey } from '../bridge.ts';
import { tellFailure } from '../design/toasts.tsx';
import { unsaved } from '../shared/unsaved-drafts.ts';
import { t } from '../words.tsx';

/** How long, in milliseconds, the person must pause before the draft is saved. */
const pause = 400;

/** The text of the composer; saved while it is written, and when the conversation or the page is left. */
export function useDraft(conversation: Conversation): [string, (text: string) => void] {
  const client = useQueryClient();
  const [text, setText] = useState(conversation.draft);
  const latest = useRef(conversation.draft);
  const saved = useRef(conversation.draft);

  const save = useEffectEvent(async () => {
    const { id } = conversation;
    const draft = latest.current;
    if (draft === saved.current) return;
    saved.current = draft;
    client.setQueryData<Conversation>(
      queryKey('conversations.get', { id }),
      (known) => known && { ...known, draft },
    );
    await ask('conversations.saveDraft', { id, text: draft }).catch((error) =>
      tellFailure(error, t('action.saveDraft')),
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text starts the pause again
  useEffect(() => {
    const timer = setTimeout(() => void save(), pause);
    return () => clearTimeout(timer);
  }, [text]);
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

  const change = (next: string) => {
    latest.current = next;
    setText(next);
  };
  return [text, change];
}
