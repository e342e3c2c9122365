import { Archive, ArrowLeft, ChevronRight, type LucideIcon, MailQuestion } from 'lucide-react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { IconButton } from '../design/icon-button.tsx';
import { locale } from '../locale.ts';
import { conversationName } from '../shared/conversation.ts';
import type { ListView } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { isUnread } from './filter.ts';
import { CountMark } from './row-marks.tsx';

/** The lists beside the main one. */
export type OtherList = Exclude<ListView, 'conversations'>;

interface Words {
  icon: LucideIcon;
  title: string;
  count: (count: number) => string;
  text?: string;
}

const words: Readonly<Record<OtherList, Words>> = {
  requests: {
    icon: MailQuestion,
    title: t('chats.requests'),
    count: (count) => t('chats.requestsCount', { count }),
    text: t('chats.requestsText'),
  },
  archived: {
    icon: Archive,
    title: t('chats.archived'),
    count: (count) => t('chats.archivedCount', { count }),
  },
};

interface OtherListsProps {
  lists: Readonly<Record<OtherList, Conversation[]>>;
  onOpen: (list: OtherList) => void;
}

/** Links to the other lists, if they have entries. */
export function OtherLists({ lists, onOpen }: OtherListsProps) {
  return (['requests', 'archived'] as const)
    .filter((list) => lists[list].length > 0)
    .map((list) => (
      <OtherListRow conversations={lists[list]} key={list} list={list} onOpen={() => onOpen(list)} />
    ));
}

interface OtherListRowProps {
  list: OtherList;
  conversations: Conversation[];
  onOpen: () => void;
}

/** The limit of names: one line has no room for more. */
const MAX_NAMED = 12;
const names = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

/** A row above all conversations that opens another list. */
function OtherListRow({ list, conversations, onOpen }: OtherListRowProps) {
  const { icon: Icon, count } = words[list];
  const parts = names.formatToParts(conversations.slice(0, MAX_NAMED).map(conversationName));
  const caption = count(conversations.length);
  const unread = list === 'archived' ? conversations.filter(isUnread).length : 0;
  return (
    <div className="px-2 pb-1">
      <button
        // Screen readers get only the caption, without the many names.
        aria-label={unread > 0 ? `${caption}, ${t('chats.unreadChats', { count: unread })}` : caption}
        className="flex w-full items-center gap-3 relative rounded-menu p-2.5 text-start rail:justify-center rail:gap-0 rail:px-0 -outline-offset-2 compact:py-1 hover:bg-sunken"
        onClick={onOpen}
        type="button"
      >
        <span className="grid size-11 shrink-0 compact:size-8 place-items-center rounded-full bg-sunken text-ink-soft">
          <Icon aria-hidden="true" className="size-5" strokeWidth={1.9} />
        </span>
        <span className="min-w-0 flex-1 rail:sr-only">
          <span className="block font-semibold text-interface">{caption}</span>
          <span className="block truncate text-ink-soft">
            {parts.map(({ type, value }, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a list never move
              type === 'element' ? <bdi key={index}>{value}</bdi> : value,
            )}
          </span>
        </span>
        {unread > 0 && <CountMark count={unread} isMuted />}
        <ChevronRight aria-hidden="true" className="size-4 text-ink-soft rail:hidden" />
      </button>
    </div>
  );
}

export function OtherListHeader({ list, onBack }: { list: OtherList; onBack: () => void }) {
  const { title, text } = words[list];
  return (
    <header className="px-3 pt-3 pb-3">
      <div className="flex items-center gap-1">
        <IconButton icon={ArrowLeft} label={t('chats.back')} onClick={onBack} />
        <h2 className="rail:sr-only font-semibold text-pane tracking-tight">{title}</h2>
      </div>
      {text && <p className="px-2.5 pt-1 text-ink-soft rail:sr-only">{text}</p>}
    </header>
  );
}

export function otherListTitle(list: OtherList): string {
  return words[list].title;
}
