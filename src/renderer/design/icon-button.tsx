import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, memo } from 'react';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

const sizes = { small: 'size-7', medium: 'size-8', usual: 'size-9' };

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon;
  /** The accessible name, shown as a tooltip too. */
  label: string;
  /** The shortcut, as shown in the tooltip. */
  keys?: string | undefined;
  size?: keyof typeof sizes;
}

/** A button with an icon and a tooltip. Memoized, because the message field has several, and is rendered for each key. */
export const IconButton = memo(function IconButton(props: IconButtonProps) {
  const { icon: Icon, label, keys, size = 'usual', className, ...rest } = props;
  const text = keys ? (
    <>
      {label} <kbd className="ms-1 font-sans opacity-70">{keys}</kbd>
    </>
  ) : (
    label
  );
  return (
    <Tooltip text={text}>
      <button
        aria-label={label}
        className={classNames(
          'inline-grid shrink-0 place-items-center rounded-control text-ink-soft transition-colors duration-100 hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-50',
          sizes[size],
          className,
        )}
        type="button"
        {...rest}
      >
        <Icon aria-hidden="true" className="size-[1.15rem]" strokeWidth={1.9} />
      </button>
    </Tooltip>
  );
});
