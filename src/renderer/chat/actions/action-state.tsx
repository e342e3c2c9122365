/**
 * State of actions on the messages of one conversation: the answered or edited one, the selected ones, and an open
 * menu or dialog.
 */
import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef, useState } from 'react';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import type { Message } from '../../../bridge/shapes/message.ts';
import { useBridgeEvent, useCommand } from '../../bridge.ts';
import { useClosingWhenShutOut, useMayAct } from '../../shared/use-shut-out.ts';
import type { TimelineControl } from '../use-timeline.ts';

export const MAX_SELECTED = 50;
export const MAX_REACTIONS = 5;

/** The position of a menu: an element, or the pointer's place. */
export type Anchor = Element | { getBoundingClientRect: () => DOMRect };

export interface Composing {
  kind: 'reply' | 'edit';
  message: Message;
}

export type Opened =
  /** The link under the pointer. */
  | { kind: 'menu' | 'reactions'; message: Message; anchor: Anchor; link?: string | null }
  | { kind: 'delete' | 'forward'; messages: readonly Message[] }
  | { kind: 'versions' | 'info'; message: Message }
  /** The picture at this place of the message. */
  | { kind: 'viewer'; message: Message; index: number };

export interface ActionState {
  conversation: Conversation;
  control: TimelineControl;
  /** True if sending is possible here. */
  mayWrite: boolean;
  /** False while the server no longer accepts this computer. */
  maySend: boolean;
  composing: Composing | null;
  compose: (composing: Composing | null) => void;
  /** The composer, for focusing. */
  composer: RefObject<HTMLElement | null>;
  opened: Opened | null;
  open: (opened: Opened | null) => void;
  /** Closes this kind, but not one opened from it meanwhile. */
  close: (kind: Opened['kind']) => void;
  /** Ids of selected messages; null outside of selection mode. */
  selected: ReadonlySet<string> | null;
  select: (ids: ReadonlySet<string> | null) => void;
  toggleSelected: (id: string) => void;
  toggleReaction: (message: Message, emoji: string) => void;
  setPinned: (message: Message, pinned: boolean) => void;
  /** Marks the conversation unread from a message on. */
  markUnread: (message: Message) => void;
  /** The last action, announced for a moment. */
  confirmation: string;
  confirm: (words: string) => void;
}

const Context = createContext<ActionState | null>(null);
const RowContext = createContext<RowActions | null>(null);

/**
 * The part of the state for the rows of messages. It is renewed only by a change that rows show, not by each arriving message,
 * for which all of them would be rendered again.
 */
export type RowActions = Omit<ActionState, 'conversation' | 'control' | 'composing' | 'confirmation'> & {
  conversation: Pick<Conversation, 'state'>;
  control: Omit<TimelineControl, 'timeline' | 'error'>;
};

export function useActions(): ActionState {
  const state = useContext(Context);
  if (!state) throw new Error('useActions needs a MessageActions above it.');
  return state;
}

export function useRowActions(): RowActions {
  const state = useContext(RowContext);
  if (!state) throw new Error('useRowActions needs a MessageActions above it.');
  return state;
}

interface MessageActionsProps {
  conversation: Conversation;
  control: TimelineControl;
  children: ReactNode;
}

export function MessageActions({ conversation, control, children }: MessageActionsProps) {
  const [composing, compose] = useState<Composing | null>(null);
  const [opened, open] = useState<Opened | null>(null);
  const [selected, select] = useState<ReadonlySet<string> | null>(null);
  const [confirmation, confirm] = useState('');
  const maySend = useMayAct();
  useClosingWhenShutOut(() =>
    open((before) => (before?.kind === 'forward' || before?.kind === 'reactions' ? null : before)),
  );
  const composer = useRef<HTMLElement>(null);
  const react = useCommand('messages.react', { onSuccess: control.put });
  const pin = useCommand('messages.pin', { onSuccess: control.put });
  const unread = useCommand('conversations.markUnread');

  // A disappeared message is no longer answered, edited or shown in a dialog.
  useBridgeEvent('messages.expired', ({ ids }) => {
    const isGone = ({ id }: Message) => ids.includes(id);
    compose((before) => (before && isGone(before.message) ? null : before));
    open((before) => (before && messagesOf(before).some(isGone) ? null : before));
    select((before) => before && new Set([...before].filter((id) => !ids.includes(id))));
  });

  const toggleSelected = (id: string) =>
    select((before) => {
      const now = new Set(before);
      if (now.delete(id) || now.size >= MAX_SELECTED) return now;
      return now.add(id);
    });
  const toggleReaction = ({ id, reactions }: Message, emoji: string) => {
    const mine = reactions.filter((each) => each.isMine).map((each) => each.emoji);
    const next = mine.includes(emoji) ? mine.filter((each) => each !== emoji) : [...mine, emoji];
    react.mutate({ id, emoji: next.slice(-MAX_REACTIONS) });
  };
  const state: ActionState = {
    conversation,
    control,
    mayWrite: maySend && mayWrite(conversation),
    maySend,
    composing,
    compose,
    composer,
    opened,
    open,
    close: (kind) => open((before) => (before?.kind === kind ? null : before)),
    selected,
    select,
    toggleSelected,
    toggleReaction,
    setPinned: ({ id }, pinned) => pin.mutate({ id, pinned }),
    markUnread: ({ id, conversationId }) => unread.mutate({ id: conversationId, from: id }),
    confirmation,
    confirm,
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions of an earlier render have the same effect
  const forRows = useMemo<RowActions>(
    () => state,
    [opened, selected, state.mayWrite, maySend, conversation.state],
  );
  return (
    <Context value={state}>
      <RowContext value={forRows}>{children}</RowContext>
    </Context>
  );
}

function messagesOf(opened: Opened): readonly Message[] {
  return 'messages' in opened ? opened.messages : [opened.message];
}

function mayWrite(conversation: Conversation): boolean {
  return conversation.kind === 'group' ? conversation.group.joined : conversation.state === 'accepted';
}

/** The article of a message, if it is rendered. */
export function articleOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`article[data-message="${CSS.escape(id)}"]`);
}
