import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, memo } from 'react';
import { classNames } from '../../design/class-names.ts';
import { Tooltip } from '../../design/tooltip.tsx';

interface RoundButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children' | 'className'> {
  icon: LucideIcon;
  label: string;
  /** Text of the tooltip; the label by default. */
  tip?: string;
  /** Filled, for sending. */
  isPrimary?: boolean;
}

/** The button at the end of the message field: record or send. Memoized, because the field renders it for each key. */
export const RoundButton = memo(function RoundButton({
  icon: Icon,
  label,
  tip = label,
  isPrimary = false,
  ...button
}: RoundButtonProps) {
  return (
    <Tooltip text={tip}>
      <button
        type="button"
        {...button}
        aria-label={label}
        className={classNames(
          'grid size-8 shrink-0 place-items-center rounded-full transition-colors',
          isPrimary
            ? 'bg-accent text-on-accent hover:bg-accent-strong disabled:bg-sunken disabled:text-ink-soft'
            : 'text-ink-soft hover:bg-sunken hover:text-ink',
        )}
      >
        <Icon
          aria-hidden="true"
          className={isPrimary ? 'size-4' : 'size-[1.15rem]'}
          strokeWidth={isPrimary ? 2.2 : 1.9}
        />
      </button>
    </Tooltip>
  );
});
