import { ArrowLeft, ChevronRight, MailQuestion } from 'lucide-react';
import type { Conversation } from '../../bridge/shapes.ts';
import { IconButton } from '../design/icon-button.tsx';
import { locale } from '../locale.ts';
import { conversationName } from '../shared/conversation.ts';
import { t } from '../words.tsx';

interface RequestsRowProps {
  requests: Conversation[];
  onOpen: () => void;
}

/** Names beside each other: more have no room in one line. */
const MOST_NAMED = 12;
const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

/** The row above all conversations that leads to those of people who wrote first. */
export function RequestsRow({ requests, onOpen }: RequestsRowProps) {
  const parts = list.formatToParts(requests.slice(0, MOST_NAMED).map(conversationName));
  const count = t('chats.requestsCount', { count: requests.length });
  return (
    <div className="px-2 pb-1">
      <button
        // The names are many: who hears the list goes on without them.
        aria-label={count}
        className="flex w-full items-center gap-3 relative rounded-menu p-2.5 text-start rail:justify-center rail:gap-0 rail:px-0 -outline-offset-2 compact:py-1 hover:bg-sunken"
        onClick={onOpen}
        type="button"
      >
        <span className="grid size-11 shrink-0 compact:size-8 place-items-center rounded-full bg-sunken text-ink-soft">
          <MailQuestion aria-hidden="true" className="size-5" strokeWidth={1.9} />
        </span>
        <span className="min-w-0 flex-1 rail:sr-only">
          <span className="block font-semibold text-interface">{count}</span>
          <span className="block truncate text-ink-soft">
            {parts.map(({ type, value }, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a list never move
              type === 'element' ? <bdi key={index}>{value}</bdi> : value,
            )}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4 text-ink-soft rail:hidden" />
      </button>
    </div>
  );
}

export function RequestsHeader({ onBack }: { onBack: () => void }) {
  return (
    <header className="px-3 pt-3 pb-3">
      <div className="flex items-center gap-1">
        <IconButton icon={ArrowLeft} label={t('chats.back')} onClick={onBack} />
        <h2 className="rail:sr-only font-semibold text-pane tracking-tight">{t('chats.requests')}</h2>
      </div>
      <p className="px-2.5 pt-1 text-ink-soft rail:sr-only">{t('chats.requestsText')}</p>
    </header>
  );
}
