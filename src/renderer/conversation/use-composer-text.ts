import { useState } from 'react';
import type { Conversation } from '../../bridge/shapes.ts';
import { useActions } from './actions/action-state.tsx';
import { useDraft } from './use-draft.ts';

/** The text of the field: the draft; while a message is edited its text, and the draft waits. */
export function useComposerText(conversation: Conversation): [string, (text: string) => void] {
  const { composing } = useActions();
  const draft = useDraft(conversation);
  const [edited, setEdited] = useState<{ of: typeof composing; text: string }>({ of: null, text: '' });
  if (composing?.kind !== 'edit') return draft;
  const text = edited.of === composing ? edited.text : composing.message.text;
  return [text, (next) => setEdited({ of: composing, text: next })];
}
