import { Popover as Base } from '@base-ui/react/popover';
import { Smile } from 'lucide-react';
import { memo, type RefObject, useRef, useState } from 'react';
import { focusAtOnce } from '../design/focus-at-once.ts';
import { IconButton } from '../design/icon-button.tsx';
import { useEarlyReturn } from '../design/use-early-return.ts';
import { t } from '../words.tsx';
import { EmojiPicker } from './emoji-picker.tsx';

interface EmojiButtonProps {
  /** The field for emoji, inserted at the selection. It is focused again afterwards. */
  field: RefObject<HTMLTextAreaElement | null>;
}

/**
 * Opens the picker; the chosen emoji is inserted as if typed, so that Undo removes it. Memoized, because the message field
 * is rendered for each key.
 */
export const EmojiButton = memo(function EmojiButton({ field }: EmojiButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const { finalFocus } = useEarlyReturn(isOpen, popup, () => field.current);
  const insert = (emoji: string) => {
    setIsOpen(false);
    field.current?.focus();
    document.execCommand('insertText', false, emoji);
  };
  return (
    <Base.Root onOpenChange={setIsOpen} open={isOpen}>
      <Base.Trigger render={<IconButton icon={Smile} label={t('emoji.open')} />} />
      <Base.Portal>
        <Base.Positioner align="end" className="z-50" collisionPadding={8} side="top" sideOffset={8}>
          <Base.Popup
            aria-label={t('emoji.title')}
            className="appear max-h-(--available-height) max-w-[calc(100vw-1rem)] overflow-y-auto rounded-menu border border-line bg-surface p-2.5 shadow-menu outline-none"
            finalFocus={finalFocus}
            initialFocus={() => focusAtOnce(popup.current?.querySelector('input'))}
            ref={popup}
          >
            <EmojiPicker onPick={insert} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
});
