import { Globe, Monitor } from 'lucide-react';
import { useAsk } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { useDebounced } from '../shared/use-debounced.ts';
import { ChoiceCard } from './choice-card.tsx';
import type { Relays, StepProps } from './first-run.tsx';
import { StepFrame } from './step-frame.tsx';

interface RelayStepProps extends Omit<StepProps, 'onBack'> {
  relays: Relays;
}

/** Where the envelopes travel: this computer's own relay, a relay by its address, or the one that was given. */
export function RelayStep({ entries, change, onNext, relays }: RelayStepProps) {
  const check = useRelayCheck(entries.relay === 'url' ? entries.url : '');
  const ready = entries.relay === 'embedded' || check.ok;
  const urlField = (
    <TextField
      label="Relay address"
      note={check.note}
      noteTone={check.tone}
      onChange={(event) => change({ url: event.target.value })}
      placeholder="https://relay.example"
      readOnly={relays.fixed !== null}
      type="url"
      value={entries.url}
    />
  );
  return (
    <StepFrame
      actions={
        <Button disabled={!ready} tone="primary" type="submit">
          Continue
        </Button>
      }
      onSubmit={() => ready && onNext()}
      stage={1}
      text="Every message is sealed on your computer before it leaves. A relay carries the sealed envelopes and cannot read them. Which one shall carry yours?"
      title="Welcome to Waxwing"
    >
      {relays.fixed === null && relays.embedded ? (
        <fieldset className="flex flex-col gap-3">
          <legend className="sr-only">Relay</legend>
          <ChoiceCard
            checked={entries.relay === 'embedded'}
            group="relay"
            icon={Monitor}
            onChoose={() => change({ relay: 'embedded' })}
            text="Start at once, with nothing to set up. Good for trying Waxwing and for one machine."
            title="This computer"
          />
          <ChoiceCard
            checked={entries.relay === 'url'}
            group="relay"
            icon={Globe}
            onChoose={() => change({ relay: 'url' })}
            text="Reach the people who use the same relay, from anywhere."
            title="Another relay"
          >
            {urlField}
          </ChoiceCard>
        </fieldset>
      ) : (
        urlField
      )}
    </StepFrame>
  );
}

interface RelayCheck {
  ok: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

function useRelayCheck(typed: string): RelayCheck {
  const wanted = typed.trim();
  const url = useDebounced(wanted, 400);
  const { data, error } = useAsk(
    'relay.check',
    { url },
    { enabled: url !== '', askAgain: (answer) => (answer?.ok ? false : 3000) },
  );
  if (wanted === '')
    return { ok: false, note: 'The operator of the relay can tell you its address.', tone: 'hint' };
  if (url !== wanted || (!data && !error)) return { ok: false, note: 'Looking for the relay…', tone: 'hint' };
  if (!data?.ok) {
    return {
      ok: false,
      note: data?.problem ?? error?.message ?? 'This relay does not answer.',
      tone: 'problem',
    };
  }
  const version = data.version ? `, version ${data.version}` : '';
  return { ok: true, note: `Found ${data.name ?? data.url}${version}.`, tone: 'good' };
}
