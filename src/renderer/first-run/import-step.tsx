import { shortAddress } from '../../base/person-name.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { SecretField } from '../design/secret-field.tsx';
import { useDebounced } from '../shared/use-debounced.ts';
import { failureText, t } from '../words.tsx';
import { StepProblem } from './confirm-phrase-step.tsx';
import type { StepProps } from './step.ts';
import { StepFrame } from './step-frame.tsx';

interface ImportStepProps extends StepProps {
  busy: boolean;
  problem: string | null;
}

/** A recovery phrase or a private key; its address is shown during typing. */
export function ImportStep({ entries, change, onBack, onNext, busy, problem }: ImportStepProps) {
  const check = useSecretCheck(entries.secret);
  return (
    <StepFrame
      actions={
        <Button busy={busy} disabled={!check.ok} tone="primary" type="submit">
          {t('firstRun.recoverAction')}
        </Button>
      }
      onBack={busy ? undefined : onBack}
      onSubmit={() => check.ok && !busy && onNext()}
      stage={2}
      text={t('firstRun.recoverText')}
      title={t('firstRun.recover')}
    >
      <SecretField
        label={t('firstRun.recoverField')}
        note={check.note}
        noteTone={check.tone}
        onChange={(secret) => change({ secret })}
        rows={4}
        value={entries.secret}
      />
      <StepProblem sentence={problem} />
    </StepFrame>
  );
}

interface SecretCheck {
  ok: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

function useSecretCheck(typed: string): SecretCheck {
  const wanted = typed.trim();
  const secret = useDebounced(wanted, 300);
  const { data, error } = useBridgeQuery('setup.checkSecret', { secret }, { enabled: secret !== '' });
  if (wanted === '') return { ok: false, note: t('firstRun.recoverHint'), tone: 'hint' };
  if (secret !== wanted || (!data && !error)) return { ok: false, note: '', tone: 'hint' };
  if (!data?.address || data.problem) {
    return {
      ok: false,
      note: (data?.problem && failureText(data.problem)) ?? error?.message ?? t('firstRun.recoverIncomplete'),
      tone: 'problem',
    };
  }
  return {
    ok: true,
    note: t('firstRun.recoverFound', { address: shortAddress(data.address) }),
    tone: 'good',
  };
}
