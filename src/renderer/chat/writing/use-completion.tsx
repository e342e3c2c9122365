import {
  type AriaAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useState,
} from 'react';
import { namesakesIn } from '../../../base/person-name.ts';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import type { WrittenMention } from '../../../bridge/shapes/message.ts';
import { distinctNameIn } from '../../../words/distinct-name.ts';
import { rememberEmoji } from '../../emoji/remembered-emoji.ts';
import { t, words } from '../../words.tsx';
import { put } from './put.ts';
import { optionId, SuggestionList } from './suggestion-list.tsx';
import { type Trigger, triggerAt } from './trigger.ts';
import { useSuggestions } from './use-suggestions.tsx';
import type { Written } from './written.ts';

interface CompletionProps {
  conversation: Conversation;
  field: RefObject<HTMLTextAreaElement | null>;
  written: Written;
  /** Called right before a name is inserted: it mentions that person. */
  onMention: (mention: WrittenMention) => void;
}

export interface Completion {
  /** The open list, and the status for screen readers. Must be in a positioned element around the field. */
  list: ReactNode;
  /**
   * For the field while the list is open. It keeps its role: a multiline text is not a combobox and does not support
   * `aria-expanded`, so the status announces the list.
   */
  attributes: AriaAttributes;
  /** @returns true if the list handled the key */
  onKeyDown: (event: KeyboardEvent) => boolean;
  /** Called after typing. */
  onType: (written: Written, caret: number) => void;
  /** Called when the caret may have moved. */
  onSelect: () => void;
  close: () => void;
}

/** Completes names after `@` and shortcodes of emoji after `:`, from a list that opens during typing. */
export function useCompletion({ conversation, field, written, onMention }: CompletionProps): Completion {
  const listId = useId();
  const [typed, setTyped] = useState<Trigger | null>(null);
  /** The place where Escape was pressed: there it stays closed. */
  const [dismissed, setDismissed] = useState<Trigger | null>(null);
  const [active, setActive] = useState(0);
  const [added, setAdded] = useState('');

  const isThere = typed !== null && written.text.startsWith(typed.text, typed.from + 1);
  const trigger = isThere && !isAt(dismissed, typed) ? typed : null;
  const suggestions = useSuggestions(conversation, trigger);
  const current = Math.min(active, suggestions.length - 1);
  const isOpen = trigger !== null && suggestions.length > 0;

  const close = () => setTyped(null);
  const choose = (index: number) => {
    const chosen = suggestions[index];
    if (!chosen || !trigger || !field.current) return;
    const { from } = trigger;
    const to = from + 1 + trigger.text.length;
    const { person, text } = chosen;
    close();
    if (person) {
      onMention({ from, to: from + text.length, address: person.address });
    } else rememberEmoji(text);
    const space = person && !/^\s/.test(field.current.value.slice(to)) ? ' ' : '';
    put(field.current, from, to, text + space);
    if (!person) return;
    const hasNamesake = namesakesIn(suggestions.flatMap((each) => each.person ?? []));
    setAdded(t('chat.mentionAdded', { name: distinctNameIn(words, person, hasNamesake(person)) }));
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const { altKey, ctrlKey, key, metaKey, shiftKey, nativeEvent } = event;
    if (!isOpen || nativeEvent.isComposing || altKey || ctrlKey || metaKey || shiftKey) return false;
    const { length } = suggestions;
    if (key === 'ArrowDown') setActive((current + 1) % length);
    else if (key === 'ArrowUp') setActive((current + length - 1) % length);
    else if (key === 'Enter' || key === 'Tab') choose(current);
    else if (key === 'Escape') setDismissed(trigger);
    else return false;
    event.preventDefault();
    return true;
  };
  const onType = (next: Written, caret: number) => {
    const found = triggerAt(next, caret);
    setTyped(found);
    setActive(0);
    setAdded('');
    if (!isAt(dismissed, found)) setDismissed(null);
  };
  const onSelect = () => {
    // Setting a state to its present value may render again.
    if (!typed) return;
    const { selectionStart, selectionEnd } = field.current ?? {};
    const end = typed.from + 1 + typed.text.length;
    if (selectionStart !== end || selectionEnd !== end) close();
  };
  const label = trigger?.kind === 'emoji' ? t('chat.suggestedEmoji') : t('chat.suggestedPeople');
  return {
    list: (
      <>
        {isOpen && (
          <SuggestionList
            active={current}
            id={listId}
            label={label}
            onActivate={setActive}
            onChoose={choose}
            suggestions={suggestions}
          />
        )}
        <p aria-live="polite" className="sr-only">
          {isOpen ? t('chat.suggestions', { count: suggestions.length }) : added}
        </p>
      </>
    ),
    attributes: isOpen
      ? {
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': listId,
          'aria-activedescendant': optionId(listId, current),
        }
      : {},
    onKeyDown,
    onType,
    onSelect,
    close,
  };
}

function isAt(one: Trigger | null, other: Trigger | null): boolean {
  return one?.kind === other?.kind && one?.from === other?.from;
}
