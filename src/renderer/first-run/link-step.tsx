import { useAsk } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { useDebounced } from '../shared/use-debounced.ts';
import { StepProblem } from './confirm-phrase-step.tsx';
import type { StepProps } from './first-run.tsx';
import { StepFrame } from './step-frame.tsx';

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
          Link this computer
        </Button>
      }
      onBack={busy ? undefined : onBack}
      onSubmit={() => ready && !busy && onNext()}
      stage={2}
      text="On your other computer, open Settings and choose “Link another computer” under Devices. This computer then becomes you as well. Its history begins empty: what was written until now stays there."
      title="Link from my other computer"
    >
      <TextField
        autoCapitalize="characters"
        className="[&_input]:font-mono [&_input]:text-sm"
        label="One-time code"
        maxLength={128}
        note={check.note}
        noteTone={check.tone}
        onChange={(event) => change({ code: event.target.value })}
        placeholder="0000-0000-0000-0000-0000-0000-0000"
        value={entries.code}
      />
      <StepProblem
        sentence={
          isElsewhere
            ? problem
            : 'The code waits at the relay of your other computer, and you chose the relay on this one. Go back to the beginning and choose “Another relay”.'
        }
      />
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
    return { ok: false, note: '28 letters and digits. Small letters and spaces are fine.', tone: 'hint' };
  }
  if (code !== wanted || (!data && !error)) return { ok: false, note: '', tone: 'hint' };
  const problem = data ? data.problem : (error?.message ?? null);
  if (problem !== null) return { ok: false, note: problem, tone: 'problem' };
  return { ok: true, note: 'This is a whole code.', tone: 'good' };
}
