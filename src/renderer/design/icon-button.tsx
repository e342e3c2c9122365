import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon;
  /** The accessible name, shown as a tooltip too. */
  label: string;
  /** Keys that do the same, as shown in the tooltip. */
  keys?: string | undefined;
}

export function IconButton({ icon: Icon, label, keys, className, ...rest }: IconButtonProps) {
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
          'inline-grid size-9 shrink-0 place-items-center rounded-control text-ink-soft transition-colors duration-100 hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-50',
          className,
        )}
        type="button"
        {...rest}
      >
        <Icon aria-hidden="true" className="size-[1.15rem]" strokeWidth={1.9} />
      </button>
    </Tooltip>
  );
}
