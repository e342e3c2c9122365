import { useLayoutEffect, useRef, useState } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { WrittenMention } from '../../bridge/shapes/message.ts';
import { useActions } from './actions/action-state.tsx';
import { useDraft } from './use-draft.ts';
import { afterEdit, type Written, withMention, writtenIn } from './writing/written.ts';

/** The number of texts whose mentions Undo restores. */
const MAX_REMEMBERED = 50;

export interface ComposerText {
  written: Written;
  write: (next: Written) => void;
  /**
   * Follows typed input in the field.
   * @param inputType of its event
   * @param added the person whom it mentions
   */
  follow: (field: HTMLTextAreaElement, inputType: string, added: WrittenMention | null) => Written;
  /** Announces the field's content after the next input: the text alone does not show its mentions. */
  foretell: (next: Written) => void;
}

/** The text of the field: the draft, or the text of an edited message while the draft waits. */
export function useComposerText(conversation: Conversation): ComposerText {
  const { composing } = useActions();
  const [draft, setDraft] = useDraft(conversation);
  const [edited, setEdited] = useState<{ of: typeof composing; written: Written } | null>(null);
  const isEdit = composing?.kind === 'edit';
  const written = !isEdit ? draft : edited?.of === composing ? edited.written : writtenIn(composing.message);
  const latest = useRef(written);
  useLayoutEffect(() => {
    latest.current = written;
  });
  const remembered = useRef(new Map<string, Written['mentions']>());
  const expected = useRef<Written>(null);

  const remember = ({ text, mentions }: Written) => {
    if (mentions.length === 0) return;
    const known = remembered.current;
    known.delete(text);
    known.set(text, mentions);
    for (const oldest of known.keys()) {
      if (known.size <= MAX_REMEMBERED) break;
      known.delete(oldest);
    }
  };
  const write = (next: Written) => {
    latest.current = next;
    if (isEdit) setEdited({ of: composing, written: next });
    else setDraft(next);
  };
  const follow: ComposerText['follow'] = ({ value, selectionEnd }, inputType, added) => {
    const before = latest.current;
    const predicted = expected.current?.text === value ? expected.current.mentions : undefined;
    expected.current = null;
    const known = inputType.startsWith('history') ? remembered.current.get(value) : predicted;
    const after = known ? { text: value, mentions: known } : afterEdit(before, value, selectionEnd);
    const next = added ? withMention(after, added) : after;
    remember(before);
    remember(next);
    write(next);
    return next;
  };
  const foretell = (next: Written) => {
    expected.current = next;
  };
  return { written, write, follow, foretell };
}
