import { Popover as Base } from '@base-ui/react/popover';
import { classNames } from '../../design/class-names.ts';
import { t } from '../../words.tsx';
import { articleOf, useActions } from './action-state.tsx';
import { recentReactions, rememberReaction } from './recent-reactions.ts';

/** Six emoji to react with, those used last first. */
export function QuickReactions() {
  const { opened, close, toggleReaction } = useActions();
  if (opened?.kind !== 'reactions') return null;
  const { message, anchor } = opened;
  const isMine = (emoji: string) => message.reactions.some((each) => each.emoji === emoji && each.isMine);
  return (
    <Base.Root onOpenChange={(isOpen) => !isOpen && close('reactions')} open>
      <Base.Portal>
        <Base.Positioner anchor={anchor} className="z-50" side="top" sideOffset={6}>
          <Base.Popup
            aria-label={t('message.react')}
            className="appear flex gap-0.5 rounded-full border border-line bg-surface p-1 shadow-menu outline-none"
            finalFocus={() => articleOf(message.id)}
          >
            {recentReactions().map((emoji) => (
              <button
                aria-label={t('message.reactWith', { emoji })}
                aria-pressed={isMine(emoji)}
                className={classNames(
                  'grid size-9 place-items-center rounded-full border-2 border-transparent text-dialog hover:bg-sunken',
                  isMine(emoji) && 'border-accent',
                )}
                key={emoji}
                onClick={() => {
                  rememberReaction(emoji);
                  toggleReaction(message, emoji);
                  close('reactions');
                }}
                type="button"
              >
                {emoji}
              </button>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
