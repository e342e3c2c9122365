import { useId, useRef, useState } from 'react';
import { toSearchText } from '../../../base/search-text.ts';
import { longest } from '../../../bridge/longest.ts';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import type { Message } from '../../../bridge/shapes/message.ts';
import { useBridgeQuery, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/text-field.tsx';
import { ConversationLine } from '../../people/conversation-line.tsx';
import { conversationName, conversationSubtitle } from '../../shared/conversation.ts';
import { t } from '../../words.tsx';
import { articleOf, useActions } from './action-state.tsx';

/** The limit of `messages.forward`. */
const MOST = 20;

/** Asks for the target chats of a forward. */
export function ForwardDialog() {
  const { opened } = useActions();
  if (opened?.kind !== 'forward') return null;
  return <ForwardForm messages={opened.messages} />;
}

function ForwardForm({ messages }: { messages: readonly Message[] }) {
  const { open, select } = useActions();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { data: all = [] } = useBridgeQuery('conversations.list', {});
  const forward = useCommand('messages.forward');
  // Not after this dialog was closed: it would end a newer selection, and close a newer dialog.
  const end = () => {
    select(null);
    open(null);
  };
  const offered = offeredChats(all, text);
  const toggle = (id: string) =>
    setChosen((before) => (before.has(id) ? before.difference(new Set([id])) : before.union(new Set([id]))));
  const isFull = chosen.size >= MOST;
  return (
    <Dialog
      finalFocus={() => articleOf(messages[0]?.id ?? '')}
      initialFocus={field}
      onClose={() => open(null)}
      open
      title={t('message.forwardTitle', { count: messages.length })}
    >
      <form
        className="flex flex-col gap-3 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.size === 0) return;
          forward.mutate({ ids: messages.map(({ id }) => id), to: [...chosen] }, { onSuccess: end });
        }}
      >
        <TextField
          label={t('message.forwardSearch')}
          maxLength={longest.person}
          onChange={(event) => setText(event.target.value)}
          ref={field}
          value={text}
        />
        <ul className="-mx-2 h-72 overflow-y-auto">
          {offered.map((conversation) => (
            <Choice
              conversation={conversation}
              isChosen={chosen.has(conversation.id)}
              isDisabled={isFull && !chosen.has(conversation.id)}
              key={conversation.id}
              onToggle={() => toggle(conversation.id)}
            />
          ))}
          {offered.length === 0 && <li className="p-2 text-ink-soft">{t('message.forwardNone')}</li>}
        </ul>
        <p aria-live="polite" className="text-ink-soft text-meta">
          {isFull && t('message.forwardMost')}
        </p>
        <Button
          busy={forward.isPending}
          className="self-end"
          disabled={chosen.size === 0}
          tone="primary"
          type="submit"
        >
          {t('message.forwardTo', { count: chosen.size })}
        </Button>
      </form>
    </Dialog>
  );
}

interface ChoiceProps {
  conversation: Conversation;
  isChosen: boolean;
  isDisabled: boolean;
  onToggle: () => void;
}

function Choice({ conversation, isChosen, isDisabled, onToggle }: ChoiceProps) {
  const id = useId();
  return (
    <li>
      <label className="flex items-center gap-3 rounded-control p-2 hover:bg-sunken" htmlFor={id}>
        <input
          checked={isChosen}
          className="size-4 shrink-0 accent-accent"
          disabled={isDisabled}
          id={id}
          onChange={onToggle}
          type="checkbox"
        />
        <ConversationLine conversation={conversation} />
      </label>
    </li>
  );
}

/** The writable chats whose name contains the text, latest activity first. */
function offeredChats(all: readonly Conversation[], text: string): Conversation[] {
  const wanted = toSearchText(text.trim());
  return all
    .filter(isOpenToSending)
    .filter((each) =>
      [conversationName(each), conversationSubtitle(each)].some((name) =>
        toSearchText(name).includes(wanted),
      ),
    )
    .toSorted((one, other) => other.activeAt - one.activeAt);
}

function isOpenToSending(conversation: Conversation): boolean {
  if (conversation.kind === 'group' && !conversation.group.joined) return false;
  return conversation.state === 'accepted';
}
