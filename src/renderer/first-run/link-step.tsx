import { longest } from '../../bridge/longest.ts';
import { useAsk } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { useDebounced } from '../shared/use-debounced.ts';
import { failureText, t } from '../words.tsx';
import { StepProblem } from './confirm-phrase-step.tsx';
import type { StepProps } from './step.ts';
import { StepFrame } from './step-frame.tsx';

const CODE_SHAPE = '0000-0000-0000-0000-0000-0000-0000';

interface LinkStepProps extends StepProps {
  busy: boolean;
  problem: string | null;
}

/** Takes the one-time code that the person's other computer shows, and says as it is typed whether it can be one. */
export function LinkStep({ entries, change, onBack, onNext, busy, problem }: LinkStepProps) {
  const check = useCodeCheck(entries.code);
  const isElsewhere = entries.relay === 'url';
  const ready = check.ok && isElsewhere;
  return (
    <StepFrame
      actions={
        <Button busy={busy} disabled={!ready} tone="primary" type="submit">
          {t('firstRun.link')}
        </Button>
      }
      onBack={busy ? undefined : onBack}
      onSubmit={() => ready && !busy && onNext()}
      stage={2}
      text={t('firstRun.linkText')}
      title={t('firstRun.link')}
    >
      <TextField
        autoCapitalize="characters"
        className="[&_input]:font-mono [&_input]:text-sm"
        label={t('firstRun.linkCode')}
        maxLength={longest.code}
        note={check.note}
        noteTone={check.tone}
        onChange={(event) => change({ code: event.target.value })}
        placeholder={CODE_SHAPE}
        value={entries.code}
      />
      <StepProblem sentence={isElsewhere ? problem : t('firstRun.linkSameServer')} />
    </StepFrame>
  );
}

interface CodeCheck {
  ok: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

function useCodeCheck(typed: string): CodeCheck {
  const wanted = typed.trim();
  const code = useDebounced(wanted, 300);
  const { data, error } = useAsk('setup.checkLinkCode', { code }, { enabled: code !== '' });
  if (wanted === '') {
    return { ok: false, note: t('firstRun.linkHint'), tone: 'hint' };
  }
  if (code !== wanted || (!data && !error)) return { ok: false, note: '', tone: 'hint' };
  const problem = data ? data.problem && failureText(data.problem) : (error?.message ?? null);
  if (problem !== null) return { ok: false, note: problem, tone: 'problem' };
  return { ok: true, note: t('firstRun.linkComplete'), tone: 'good' };
}
