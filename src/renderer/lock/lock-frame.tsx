import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../design/icon-button.tsx';
import { Mark } from '../design/mark.tsx';
import { t } from '../words.tsx';

interface LockFrameProps {
  title: string;
  text: string;
  onBack?: () => void;
  onSubmit: () => void;
  /** The buttons at the end; the main one is a submit button. */
  actions: ReactNode;
  children?: ReactNode;
}

/** A page of the lock: one form, and nothing beside it. */
export function LockFrame({ title, text, onBack, onSubmit, actions, children }: LockFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t('app.name');
    if (!document.activeElement?.matches('input, textarea')) heading.current?.focus();
  }, []);
  return (
    <main className="h-full overflow-y-auto bg-canvas">
      <div className="mx-auto flex min-h-full max-w-[26rem] flex-col px-5 py-6 sm:justify-center sm:py-12">
        <div className="mb-5 flex h-11 items-center">
          {onBack ? (
            <IconButton className="-ms-2" icon={ArrowLeft} label={t('common.back')} onClick={onBack} />
          ) : (
            <Mark size={44} />
          )}
        </div>
        <form
          className="rise flex flex-1 flex-col sm:flex-none"
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          <h1
            className="font-semibold text-[1.625rem] leading-tight tracking-tight outline-none"
            ref={heading}
            tabIndex={-1}
          >
            {title}
          </h1>
          <p className="mt-2 mb-6 text-pretty text-[0.9375rem] text-ink-soft leading-relaxed">{text}</p>
          <div className="flex flex-col gap-3">{children}</div>
          <div className="mt-auto flex flex-wrap-reverse items-center justify-end gap-2 pt-6 sm:mt-0">
            {actions}
          </div>
        </form>
      </div>
    </main>
  );
}
