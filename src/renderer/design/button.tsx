import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone;
  size?: 'medium' | 'small';
  /** Shows that the action is running; the button keeps its width and cannot be pressed twice. */
  busy?: boolean;
  /** Disabled for the time of other work. Unlike with `disabled`, the button keeps the focus, and can get it. */
  paused?: boolean;
}

const tones: Record<ButtonTone, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line-strong bg-raised text-ink hover:bg-sunken',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'border border-danger-ink/50 text-danger-ink hover:bg-danger-soft',
};

const sizes = {
  medium: 'min-h-9 rounded-control px-4 py-1 text-interface',
  small: 'min-h-8 rounded-control px-3 py-0.5 text-secondary',
};

/**
 * A button that is wider than its container wraps its words.
 * The classes are also for a link or a base-ui part that acts as one.
 */
export function buttonClass(tone: ButtonTone = 'plain', size: keyof typeof sizes = 'medium'): string {
  return classNames(
    'relative inline-flex max-w-full shrink-0 select-none items-center justify-center gap-2 text-center font-semibold transition-colors duration-100',
    'disabled:cursor-not-allowed disabled:border-transparent disabled:bg-sunken disabled:text-ink-soft',
    'aria-disabled:cursor-not-allowed aria-disabled:not-aria-busy:border-transparent aria-disabled:not-aria-busy:bg-sunken aria-disabled:not-aria-busy:text-ink-soft',
    tones[tone],
    sizes[size],
  );
}

export function Button({
  tone,
  size,
  busy = false,
  paused = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      aria-busy={busy || undefined}
      // Not `disabled`: the pressed button would lose the focus.
      aria-disabled={busy || paused || undefined}
      className={classNames(buttonClass(tone, size), className)}
      // Enter in a field presses the form's button too.
      onClick={busy || paused ? (event) => event.preventDefault() : onClick}
      type="button"
      {...rest}
    >
      {busy && <LoaderCircle aria-hidden="true" className="absolute size-4 animate-spin" />}
      {/* Not `invisible`: the button would lose its name. */}
      <span className={classNames('inline-flex items-center gap-2', busy && 'opacity-0')}>{children}</span>
    </button>
  );
}
