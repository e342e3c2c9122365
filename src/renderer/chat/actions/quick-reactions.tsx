import { Popover as Base } from '@base-ui/react/popover';
import { useRef } from 'react';
import { classNames } from '../../design/class-names.ts';
import { focusAtOnce } from '../../design/focus-at-once.ts';
import { EmojiPicker } from '../../emoji/emoji-picker.tsx';
import { quickEmoji, rememberEmoji } from '../../emoji/remembered-emoji.ts';
import { t } from '../../words.tsx';
import { articleOf, useActions } from './action-state.tsx';

/** Emoji for reactions: six recent ones, and all others in the picker below. */
export function QuickReactions() {
  const { opened, close, toggleReaction } = useActions();
  const popup = useRef<HTMLDivElement>(null);
  if (opened?.kind !== 'reactions') return null;
  const { message, anchor } = opened;
  const isMine = (emoji: string) => message.reactions.some((each) => each.emoji === emoji && each.isMine);
  const react = (emoji: string) => {
    toggleReaction(message, emoji);
    close('reactions');
  };
  return (
    <Base.Root onOpenChange={(isOpen) => !isOpen && close('reactions')} open>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          className="z-50"
          collisionAvoidance={{ side: 'shift', align: 'shift' }}
          collisionPadding={8}
          side="top"
          sideOffset={6}
        >
          <Base.Popup
            aria-label={t('message.react')}
            className="appear max-h-(--available-height) max-w-[calc(100vw-1rem)] overflow-y-auto rounded-menu border border-line bg-surface p-2.5 shadow-menu outline-none"
            finalFocus={() => articleOf(message.id)}
            initialFocus={() => focusAtOnce(popup.current?.querySelector('button'))}
            ref={popup}
          >
            <div className="mb-2 flex justify-between">
              {quickEmoji().map((emoji) => (
                <button
                  aria-label={t('message.reactWith', { emoji })}
                  aria-pressed={isMine(emoji)}
                  className={classNames(
                    'grid size-9 place-items-center rounded-full border-2 border-transparent text-dialog hover:bg-sunken',
                    isMine(emoji) && 'border-accent',
                  )}
                  key={emoji}
                  onClick={() => {
                    rememberEmoji(emoji);
                    react(emoji);
                  }}
                  type="button"
                >
                  {emoji}
                </button>
              ))}
            </div>
            <EmojiPicker onPick={react} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
