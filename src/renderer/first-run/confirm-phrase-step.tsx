import { useRef, useState } from 'react';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { t } from '../words.tsx';
import type { StepProps } from './step.ts';
import { StepFrame } from './step-frame.tsx';

interface ConfirmPhraseStepProps extends StepProps {
  busy: boolean;
  problem: string | null;
}

/** Asks for three of the twelve words. */
export function ConfirmPhraseStep({
  entries,
  change,
  onBack,
  onNext,
  busy,
  problem,
}: ConfirmPhraseStepProps) {
  const { data: phrase } = useBridgeQuery('setup.newPhrase', {});
  const [checked, setChecked] = useState(false);
  const fields = useRef<(HTMLInputElement | null)[]>([]);
  if (!phrase) return null;

  const isRight = (index: number) =>
    entries.answers[index]?.trim().toLowerCase() === phrase.words[(phrase.places[index] ?? 0) - 1];
  const complete = entries.answers.every((answer) => answer.trim() !== '');
  const submit = () => {
    setChecked(true);
    const wrong = phrase.places.findIndex((_, index) => !isRight(index));
    if (wrong === -1) onNext();
    else fields.current[wrong]?.focus();
  };
  return (
    <StepFrame
      actions={
        <>
          <Button disabled={busy} onClick={onBack} tone="quiet">
            {t('firstRun.confirmBack')}
          </Button>
          <Button busy={busy} disabled={!complete} tone="primary" type="submit">
            {t('firstRun.confirmAction')}
          </Button>
        </>
      }
      onBack={busy ? undefined : onBack}
      onSubmit={() => complete && !busy && submit()}
      stage={2}
      text={t('firstRun.confirmText')}
      title={t('firstRun.confirm')}
    >
      <div className="flex flex-col gap-2">
        {phrase.places.map((place, index) => {
          const wrong = checked && !isRight(index);
          return (
            <TextField
              autoCapitalize="none"
              key={place}
              label={t('firstRun.confirmWord', { place })}
              note={wrong ? t('firstRun.confirmWrong', { place }) : ''}
              noteTone={wrong ? 'problem' : 'hint'}
              onChange={(event) => {
                setChecked(false);
                change({ answers: entries.answers.with(index, event.target.value) });
              }}
              ref={(field) => {
                fields.current[index] = field;
              }}
              value={entries.answers[index] ?? ''}
            />
          );
        })}
      </div>
      <StepProblem sentence={problem} />
    </StepFrame>
  );
}

/** The failure of the last step, above its button. */
export function StepProblem({ sentence }: { sentence: string | null }) {
  return (
    <div role="alert">
      {sentence && <p className="mt-3 rounded-menu bg-danger-soft p-4 text-ink">{sentence}</p>}
    </div>
  );
}
