import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { t } from '../words.tsx';
import type { StepProps } from './step.ts';
import { StepFrame } from './step-frame.tsx';

const placeholders = Array.from({ length: 12 }, (_, index) => index);

/** Shows the twelve words of the recovery phrase, to be written on paper. */
export function PhraseStep({ entries, change, onBack, onNext }: StepProps) {
  const { data: phrase, error, refetch } = useBridgeQuery('setup.newPhrase', {});
  const ready = phrase !== undefined && entries.writtenDown;
  return (
    <StepFrame
      actions={
        <Button disabled={!ready} tone="primary" type="submit">
          {t('common.continue')}
        </Button>
      }
      onBack={onBack}
      onSubmit={() => ready && onNext()}
      stage={2}
      text={t('firstRun.phraseText')}
      title={t('firstRun.phrase')}
    >
      {error ? (
        <div className="flex items-center justify-between gap-3 rounded-menu bg-warning-soft p-4">
          <p role="alert">{error.message}</p>
          <Button onClick={() => void refetch()} size="small">
            {t('common.tryAgain')}
          </Button>
        </div>
      ) : (
        <ol
          aria-busy={phrase === undefined}
          aria-label={t('firstRun.phraseList')}
          className="grid grid-cols-2 gap-x-6 rounded-menu border border-line bg-raised px-5 py-3 sm:grid-cols-3"
        >
          {phrase
            ? phrase.words.map((word, index) => (
                // The same word may be at two places, so the place is the key.
                // biome-ignore lint/suspicious/noArrayIndexKey: the words never move
                <li className="flex h-10 items-baseline gap-2.5 border-line border-b py-2" key={index}>
                  <span className="w-5 text-end text-ink-soft text-meta tabular-nums">{index + 1}</span>
                  <span className="font-mono font-semibold text-message">{word}</span>
                </li>
              ))
            : placeholders.map((index) => (
                <li className="flex h-10 items-center" key={index}>
                  <Skeleton className="h-4 w-24" />
                </li>
              ))}
        </ol>
      )}
      <label className="mt-5 flex cursor-pointer items-center gap-3">
        <input
          checked={entries.writtenDown}
          className="size-4 accent-accent"
          onChange={(event) => change({ writtenDown: event.target.checked })}
          type="checkbox"
        />
        {t('firstRun.phraseWritten')}
      </label>
    </StepFrame>
  );
}
