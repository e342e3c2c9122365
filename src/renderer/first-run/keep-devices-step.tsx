import type { OwnDevice } from '../../bridge/shapes/device.ts';
import { Button } from '../design/button.tsx';
import { plainDate } from '../shared/time.ts';
import { t } from '../words.tsx';
import { StepProblem } from './confirm-phrase-step.tsx';
import { StepFrame } from './step-frame.tsx';

interface KeepDevicesStepProps {
  devices: OwnDevice[];
  /** Ids of the removed ones. */
  without: readonly string[];
  onChange: (without: string[]) => void;
  busy: boolean;
  problem: string | null;
  onBack: () => void;
  onNext: () => void;
}

/** The devices to keep in a recovered account: a lost one is removed. */
export function KeepDevicesStep({
  devices,
  without,
  onChange,
  busy,
  problem,
  onBack,
  onNext,
}: KeepDevicesStepProps) {
  return (
    <StepFrame
      actions={
        <Button busy={busy} tone="primary" type="submit">
          {t('firstRun.recoverAction')}
        </Button>
      }
      onBack={busy ? undefined : onBack}
      onSubmit={() => !busy && onNext()}
      stage={2}
      text={t('firstRun.keepText')}
      title={t('firstRun.keep')}
    >
      <fieldset className="flex flex-col gap-1">
        <legend className="sr-only">{t('firstRun.keep')}</legend>
        {devices.map(({ id, type, sealKeySince }) => (
          <label className="flex items-start gap-3 py-1.5" key={id}>
            <input
              checked={!without.includes(id)}
              className="mt-1 size-4 accent-accent"
              onChange={({ target }) =>
                onChange(target.checked ? without.filter((each) => each !== id) : [...without, id])
              }
              type="checkbox"
            />
            <span className="min-w-0">
              <span className="block font-semibold">
                {type === 'app' ? t('settings.deviceOther') : t('settings.deviceApi')}
              </span>
              <span className="block text-ink-soft text-meta [overflow-wrap:anywhere]">
                <code className="font-mono">{id.slice(0, 8)}</code> ·{' '}
                {sealKeySince === null
                  ? t('settings.deviceNoKey')
                  : t('settings.deviceKey', { date: plainDate(sealKeySince) })}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <StepProblem sentence={problem} />
    </StepFrame>
  );
}
