import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Mark } from '../design/mark.tsx';
import { t } from '../words.tsx';

const stages = [t('firstRun.stageServer'), t('firstRun.stageAccount'), t('firstRun.stageProfile')];

interface StepFrameProps {
  /** 1 to 3: where this step stands on the way. */
  stage: number;
  title: string;
  text: ReactNode;
  onBack?: (() => void) | undefined;
  onSubmit: () => void;
  /** The buttons at the end; the main one is a submit button. */
  actions: ReactNode;
  children: ReactNode;
}

/** One page of first run: a form with the way so far above it. */
export function StepFrame({ stage, title, text, onBack, onSubmit, actions, children }: StepFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className="h-full overflow-y-auto bg-canvas">
      <div className="mx-auto flex min-h-full max-w-[30rem] flex-col px-5 py-6 sm:justify-center sm:py-12">
        <div className="mb-6 flex items-center gap-3">
          {onBack ? (
            <IconButton className="-ms-2" icon={ArrowLeft} label={t('common.back')} onClick={onBack} />
          ) : (
            <Mark size={36} />
          )}
          <Progress stage={stage} />
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
          {children}
          <div className="mt-auto flex flex-wrap items-center justify-end gap-2 pt-6 sm:mt-0">{actions}</div>
        </form>
      </div>
    </main>
  );
}

function Progress({ stage }: { stage: number }) {
  return (
    <ol aria-label={t('firstRun.steps', { step: stage, steps: stages.length })} className="flex flex-1 gap-2">
      {stages.map((name, index) => (
        <li
          aria-current={index + 1 === stage ? 'step' : undefined}
          className={classNames(
            'flex-1 border-t-[3px] pt-1.5 font-medium text-ink-soft text-xs transition-colors',
            index + 1 < stage && 'border-wax',
            index + 1 === stage && 'border-tail text-ink',
            index + 1 > stage && 'border-pressed',
          )}
          key={name}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
