import type { Message, Reaction } from '../../bridge/shapes/message.ts';
import { classNames } from '../design/class-names.ts';
import { Tooltip } from '../design/tooltip.tsx';
import { locale } from '../locale.ts';
import { shownName } from '../people/shown-name.ts';
import { useOwnAddress } from '../people/use-own-address.ts';
import { t } from '../words.tsx';
import { useRowActions } from './actions/action-state.tsx';
import { actions } from './actions/action-table.ts';

/** The limit of names for each emoji. */
const MAX_NAMES = 12;

const list = new Intl.ListFormat(locale, { type: 'conjunction' });

/**
 * Under a message: the most frequent emoji with their counts, and the number of others. A click adds or removes the
 * person's own.
 */
export function Reactions({ message }: { message: Message }) {
  const state = useRowActions();
  const own = useOwnAddress();
  const mayReact = actions.react.isOffered(message, state);
  return (
    <ul aria-label={t('message.reactions')} className="mt-1 flex max-w-full flex-wrap gap-1">
      {message.reactions.map((reaction) => {
        const { emoji, count, isMine } = reaction;
        const names = namesOf(reaction, own);
        return (
          <li key={emoji}>
            <Tooltip text={names}>
              <button
                aria-disabled={!mayReact || undefined}
                aria-label={t('message.reaction', { emoji, count, names })}
                aria-pressed={isMine}
                className={classNames(
                  'flex h-7 items-center gap-1 rounded-full border bg-raised px-2 text-secondary hover:bg-sunken',
                  isMine
                    ? 'border-accent-ink font-semibold ring-1 ring-accent-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]'
                    : 'border-line',
                )}
                onClick={() => mayReact && state.toggleReaction(message, emoji)}
                type="button"
              >
                <span aria-hidden="true">{emoji}</span>
                <span className="tabular-nums">{count}</span>
              </button>
            </Tooltip>
          </li>
        );
      })}
      {message.moreReactions > 0 && (
        <li className="flex h-7 items-center px-1 text-secondary text-ink-soft tabular-nums">
          <span aria-hidden="true">{t('message.moreReactions', { count: message.moreReactions })}</span>
          <span className="sr-only">{t('message.moreReactionsLabel', { count: message.moreReactions })}</span>
        </li>
      )}
    </ul>
  );
}

function namesOf({ people, count }: Reaction, own: string | undefined): string {
  const shown = people.slice(0, MAX_NAMES);
  const names = shown.map((each) => (each.address === own ? t('message.you') : shownName(each)));
  const more = count - shown.length;
  return list.format(more > 0 ? [...names, t('message.andMore', { count: more })] : names);
}
