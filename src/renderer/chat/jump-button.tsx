import { ArrowDown } from 'lucide-react';
import { badgeCount } from '../shared/count.ts';
import { t } from '../words.tsx';

interface JumpButtonProps {
  /** Number of messages that arrived meanwhile. */
  unread: number;
  /** Number of them that mention the person. */
  mentions: number;
  onJump: () => void;
}

/**
 * Below the messages, so that it covers none: scrolls to the first new mention, or to the newest message, and shows
 * the number.
 */
export function JumpButton({ unread, mentions, onJump }: JumpButtonProps) {
  return (
    <div className="flex shrink-0 justify-end px-4 pt-1 pb-2">
      <button
        aria-label={labelOf(unread, mentions)}
        className="rise flex h-8 min-w-10 items-center justify-center gap-1.5 rounded-full border border-line bg-raised px-2.5 text-ink shadow-menu hover:bg-sunken"
        onClick={onJump}
        type="button"
      >
        <ArrowDown aria-hidden="true" className="size-5" />
        {unread > 0 && (
          <span className="rounded-full bg-unread px-1.5 font-semibold text-meta text-on-unread forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]">
            {mentions > 0 ? `@ ${badgeCount(mentions)}` : badgeCount(unread)}
          </span>
        )}
      </button>
    </div>
  );
}

function labelOf(unread: number, mentions: number): string {
  if (mentions > 0) return t('chat.jumpMention', { count: mentions });
  return unread > 0 ? t('chat.jumpNew', { count: unread }) : t('chat.jump');
}
