import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../words.tsx';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { Mark } from './mark.tsx';

export interface FormPageProps {
  title: string;
  text: ReactNode;
  onBack?: (() => void) | undefined;
  onSubmit: () => void;
  /** The buttons at the end; the main one is a submit button. */
  actions: ReactNode;
  /** Content beside the logo. A page without it is narrower. */
  beside?: ReactNode;
  children?: ReactNode;
}

/** A page with one form. Its heading has the focus, unless one of its fields gets it. */
export function FormPage({ title, text, onBack, onSubmit, actions, beside, children }: FormPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!document.activeElement?.matches('input, textarea')) heading.current?.focus();
  }, []);
  return (
    <main className="h-full overflow-y-auto bg-canvas">
      <div
        className={classNames(
          'mx-auto flex min-h-full flex-col px-5 py-6 sm:justify-center sm:py-12',
          beside ? 'max-w-[30rem]' : 'max-w-[26rem]',
        )}
      >
        <div className="mb-6 flex min-h-11 flex-wrap items-center gap-3">
          {onBack ? (
            <IconButton className="-ms-2" icon={ArrowLeft} label={t('common.back')} onClick={onBack} />
          ) : (
            <Mark className="shrink-0" size={beside ? 36 : 44} />
          )}
          {beside}
        </div>
        <form
          className="rise flex flex-1 flex-col sm:flex-none"
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          <h1 className="font-semibold text-welcome tracking-tight outline-none" ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p className="mt-2 mb-6 text-pretty text-interface text-ink-soft">{text}</p>
          {children}
          <div className="mt-auto flex flex-wrap-reverse items-center justify-end gap-2 pt-6 sm:mt-0">
            {actions}
          </div>
        </form>
      </div>
    </main>
  );
}
