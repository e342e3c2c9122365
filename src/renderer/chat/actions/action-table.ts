/** The actions for a message, in one table: used by the bar beside it, its menu and its keys. */
import {
  CheckSquare,
  Copy,
  FileCode2,
  Forward,
  Info,
  type LucideIcon,
  MailOpen,
  Pencil,
  Pin,
  PinOff,
  Reply,
  Save,
  SmilePlus,
  Trash2,
} from 'lucide-react';
import { textWithoutMarks } from '../../../base/markdown/words.ts';
import type { Conversation } from '../../../bridge/shapes/conversation.ts';
import type { Message } from '../../../bridge/shapes/message.ts';
import { copyText } from '../../shared/copy-text.ts';
import { summaryText, t } from '../../words.tsx';
import { saveFile } from '../files/save-file.ts';
import { isHere, placeOf } from '../files/use-file.ts';
import type { Anchor, RowActions } from './action-state.tsx';

export interface MessageAction {
  label: string;
  icon: LucideIcon;
  /** In the form of tooltip and menu. */
  keys?: string;
  isDangerous?: true;
  isOffered: (message: Message, state: RowActions) => boolean;
  run: (message: Message, state: RowActions, anchor: Anchor) => void;
}

const hasContent = ({ kind, event }: Message) => event === null && kind !== 'deleted';
const hasText = (message: Message) => hasContent(message) && message.text !== '';

/** Reports whether others can get the message from this computer: the server has its files, or they are here. */
export const isForwardable = (message: Message) =>
  hasContent(message) && message.can.refer && message.files.every(({ state }) => state !== 'gone');

/** The only file of a message, if it is here. */
function fileToSave(message: Message, { state }: Pick<Conversation, 'state'>) {
  const [file] = message.files;
  if (!file || message.files.length > 1 || !isHere(file) || state === 'request') return null;
  return { place: placeOf({ message, index: 0 }), name: file.name };
}

/** Copies, and announces it. */
export function copyAndConfirm(words: string, { confirm }: Pick<RowActions, 'confirm'>): void {
  copyText(words, false).then(confirm, () => confirm(t('app.copyRefused')));
}

/** The clipboard text for several messages. */
export function textOfMessages(messages: readonly Message[]): string {
  return messages
    .filter(hasContent)
    .map((each) => textWithoutMarks(summaryText(each)))
    .join('\n\n');
}

export const actions = {
  react: {
    label: t('message.react'),
    icon: SmilePlus,
    keys: '+',
    isOffered: (message, { mayWrite }) => hasContent(message) && message.can.refer && mayWrite,
    run: (message, { open }, anchor) => open({ kind: 'reactions', message, anchor }),
  },
  reply: {
    label: t('message.reply'),
    icon: Reply,
    keys: 'R',
    isOffered: (message, { mayWrite }) => hasContent(message) && message.can.refer && mayWrite,
    run: (message, { compose }) => compose({ kind: 'reply', message }),
  },
  copy: {
    label: t('message.copyText'),
    icon: Copy,
    isOffered: hasText,
    run: ({ text }, state) => copyAndConfirm(textWithoutMarks(text), state),
  },
  copyMarkdown: {
    label: t('message.copyMarkdown'),
    icon: FileCode2,
    isOffered: (message) => hasText(message) && textWithoutMarks(message.text) !== message.text,
    run: ({ text }, state) => copyAndConfirm(text, state),
  },
  edit: {
    label: t('message.edit'),
    icon: Pencil,
    keys: 'E',
    isOffered: (message, { mayWrite }) => hasContent(message) && message.can.edit && mayWrite,
    run: (message, { compose }) => compose({ kind: 'edit', message }),
  },
  forward: {
    label: t('message.forward'),
    icon: Forward,
    isOffered: (message, { maySend }) => isForwardable(message) && maySend,
    run: (message, { open }) => open({ kind: 'forward', messages: [message] }),
  },
  save: {
    label: t('message.save'),
    icon: Save,
    isOffered: (message, { conversation }) => fileToSave(message, conversation) !== null,
    run: (message, { conversation }) => {
      const file = fileToSave(message, conversation);
      if (file) void saveFile(file.place, file.name);
    },
  },
  pin: {
    label: t('message.pin'),
    icon: Pin,
    isOffered: (message, { maySend }) => hasContent(message) && message.can.pin && !message.pinned && maySend,
    run: (message, { setPinned }) => setPinned(message, true),
  },
  unpin: {
    label: t('message.unpin'),
    icon: PinOff,
    isOffered: (message, { maySend }) => hasContent(message) && message.can.pin && message.pinned && maySend,
    run: (message, { setPinned }) => setPinned(message, false),
  },
  markUnread: {
    label: t('message.markUnread'),
    icon: MailOpen,
    isOffered: ({ event, state }) => event === null && state === 'received',
    run: (message, { markUnread }) => markUnread(message),
  },
  info: {
    label: t('message.info'),
    icon: Info,
    isOffered: hasContent,
    run: (message, { open }) => open({ kind: 'info', message }),
  },
  select: {
    label: t('message.select'),
    icon: CheckSquare,
    isOffered: ({ event }) => event === null,
    run: ({ id }, { toggleSelected }) => toggleSelected(id),
  },
  delete: {
    label: t('message.delete'),
    icon: Trash2,
    isDangerous: true,
    isOffered: ({ event }) => event === null,
    run: (message, { open }) => open({ kind: 'delete', messages: [message] }),
  },
} satisfies Record<string, MessageAction>;

export type ActionName = keyof typeof actions;

/** The actions in a message's menu, in order. */
export function offeredActions(message: Message, state: RowActions): [ActionName, MessageAction][] {
  const all = Object.entries(actions) as [ActionName, MessageAction][];
  return all.filter(([, action]) => action.isOffered(message, state));
}
