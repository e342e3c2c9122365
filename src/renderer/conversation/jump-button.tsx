import { ArrowDown } from 'lucide-react';
import { badgeCount } from '../shared/count.ts';
import { t } from '../words.tsx';

/** Leads to the newest message, and says how many came in meanwhile. */
export function JumpButton({ unread, onJump }: { unread: number; onJump: () => void }) {
  return (
    <button
      aria-label={unread > 0 ? t('chat.jumpNew', { count: unread }) : t('chat.jump')}
      className="rise absolute inset-e-4 bottom-3 flex h-10 min-w-10 items-center justify-center gap-1.5 rounded-full border border-line bg-raised px-2.5 text-ink shadow-menu hover:bg-sunken"
      onClick={onJump}
      type="button"
    >
      <ArrowDown aria-hidden="true" className="size-5" />
      {unread > 0 && (
        <span className="rounded-full bg-unread px-1.5 font-semibold text-meta text-on-unread forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]">
          {badgeCount(unread)}
        </span>
      )}
    </button>
  );
}
