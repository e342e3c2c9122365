import { classNames } from '../design/class-names.ts';
import { FormPage, type FormPageProps } from '../design/form-page.tsx';
import { t } from '../words.tsx';

const stages = [t('firstRun.stageServer'), t('firstRun.stageAccount'), t('firstRun.stageProfile')];

interface StepFrameProps extends Omit<FormPageProps, 'beside'> {
  /** 1 to 3: the position of this step. */
  stage: number;
}

/** A page of first run: a form with the progress above it. */
export function StepFrame({ stage, ...page }: StepFrameProps) {
  return <FormPage {...page} beside={<Progress stage={stage} />} />;
}

function Progress({ stage }: { stage: number }) {
  return (
    <ol aria-label={t('firstRun.steps', { step: stage, steps: stages.length })} className="flex flex-1 gap-2">
      {stages.map((name, index) => (
        <li
          aria-current={index + 1 === stage ? 'step' : undefined}
          className={classNames(
            'flex-1 border-t-[3px] pt-1.5 font-medium text-ink-soft text-meta transition-colors',
            index + 1 < stage && 'border-accent',
            index + 1 === stage && 'border-ink text-ink',
            index + 1 > stage && 'border-line',
          )}
          key={name}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
