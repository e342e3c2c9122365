import { List, Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { plainText } from '../../base/markdown/words.ts';
import type { Message } from '../../bridge/shapes/message.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { AuthorLine } from '../people/author-line.tsx';
import { summaryText, t } from '../words.tsx';
import { articleOf, useActions } from './actions/action-state.tsx';

/** Under the header: the last pinned message. Each click jumps to it, and shows the one pinned before. */
export function PinStrip() {
  const { conversation, control } = useActions();
  const { data: pinned = [] } = useBridgeQuery('messages.pinned', { conversationId: conversation.id });
  const [place, setPlace] = useState(0);
  const [isListShown, setIsListShown] = useState(false);
  const shown = pinned[place] ?? pinned[0];
  if (!shown) return null;
  const index = pinned.indexOf(shown);
  const text = plainText(summaryText(shown));
  const title =
    pinned.length > 1
      ? t('message.pinnedAt', { place: index + 1, count: pinned.length })
      : t('message.pinned');
  return (
    <section
      aria-label={title}
      className="flex shrink-0 items-center gap-1 border-line border-b bg-surface px-1.5 sm:px-2.5"
    >
      <button
        aria-label={t('message.pinnedShow', { text })}
        className="flex min-w-0 flex-1 items-center gap-2.5 rounded-control px-2 py-1.5 text-start -outline-offset-2 hover:bg-sunken"
        onClick={() => {
          control.jumpTo(shown.id);
          setPlace((index + 1) % pinned.length);
        }}
        type="button"
      >
        <Pin aria-hidden="true" className="size-4 shrink-0 text-accent-ink" />
        <span className="min-w-0">
          <span className="block font-semibold text-accent-ink text-meta">{title}</span>
          <bdi className="block truncate text-secondary">{text}</bdi>
        </span>
      </button>
      <IconButton icon={List} label={t('message.pinnedAll')} onClick={() => setIsListShown(true)} />
      <Dialog onClose={() => setIsListShown(false)} open={isListShown} title={t('message.pinnedTitle')}>
        <PinnedList onClose={() => setIsListShown(false)} pinned={pinned} />
      </Dialog>
    </section>
  );
}

function PinnedList({ pinned, onClose }: { pinned: readonly Message[]; onClose: () => void }) {
  const { control, maySend, setPinned } = useActions();
  return (
    <ul className="flex flex-col p-5">
      {pinned.map((message) => (
        <li
          className="flex items-start gap-2 border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0"
          key={message.id}
        >
          <div className="min-w-0 flex-1">
            <AuthorLine
              author={message.author}
              bot={message.bot?.name ?? (message.trust === 'token' ? '' : null)}
              className="font-semibold text-secondary"
            />
            <p className="line-clamp-3 [overflow-wrap:anywhere]" dir="auto">
              {plainText(summaryText(message))}
            </p>
            <Button
              className="-ms-3"
              onClick={() => {
                onClose();
                control.jumpTo(message.id);
                requestAnimationFrame(() => articleOf(message.id)?.focus({ preventScroll: true }));
              }}
              size="small"
              tone="quiet"
            >
              {t('message.pinnedJump')}
            </Button>
          </div>
          {message.can.pin && maySend && (
            <IconButton
              icon={PinOff}
              label={t('message.unpin')}
              onClick={() => {
                if (pinned.length === 1) onClose();
                setPinned(message, false);
              }}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
