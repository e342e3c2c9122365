import { plainText } from '../../base/markdown/words.ts';
import type { Quote } from '../../bridge/shapes/message.ts';
import { AuthorLine } from '../people/author-line.tsx';
import { authorName } from '../people/author-name.ts';
import { summaryText, t } from '../words.tsx';
import { useRowActions } from './actions/action-state.tsx';

/** The answered message in a reply's bubble: two lines; a click jumps to it. */
export function QuoteBox({ quote }: { quote: Quote }) {
  const { control } = useRowActions();
  const author = quote.author && authorName(quote.author, quote.bot);
  const inside = (
    <>
      {quote.author && (
        <AuthorLine author={quote.author} bot={quote.bot} className="font-semibold text-secondary" />
      )}
      <span className="line-clamp-2 text-ink-soft text-secondary [overflow-wrap:anywhere]" dir="auto">
        {wordsOf(quote)}
      </span>
    </>
  );
  const look = 'mb-1.5 block w-full min-w-0 border-accent border-s-[3px] ps-2 text-start';
  if (quote.is === 'missing' || quote.is === 'other' || quote.id === null)
    return <span className={look}>{inside}</span>;
  const { id } = quote;
  return (
    <button
      aria-label={t('message.quoteJump', { author: author ?? '' })}
      className={`${look} rounded-e-chip hover:bg-selection/60`}
      onClick={() => control.jumpTo(id)}
      type="button"
    >
      {inside}
    </button>
  );
}

/** A quote in one line. */
export function wordsOf({ is, summary }: Quote): string {
  if (is === 'deleted') return t('message.deleted');
  if (is === 'other') return t('message.quoteOther');
  return summary ? plainText(summaryText(summary)) : t('message.quoteMissing');
}
