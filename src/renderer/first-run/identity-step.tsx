import { KeyRound, Laptop, Sparkles } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { ChoiceCard } from './choice-card.tsx';
import type { StepProps } from './first-run.tsx';
import { StepFrame } from './step-frame.tsx';

/** A new wallet, one that the person brings, or the one of their other computer. */
export function IdentityStep({ entries, change, onBack, onNext }: StepProps) {
  return (
    <StepFrame
      actions={
        <Button tone="primary" type="submit">
          Continue
        </Button>
      }
      onBack={onBack}
      onSubmit={onNext}
      stage={2}
      text="Your identity is a key that only you hold. There is no account, no phone number and no password to forget."
      title="Your identity"
    >
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">Identity</legend>
        <ChoiceCard
          checked={entries.identity === 'new'}
          group="identity"
          icon={Sparkles}
          onChoose={() => change({ identity: 'new' })}
          text="We make a key for you, and twelve words that can bring it back."
          title="Create a new identity"
        />
        <ChoiceCard
          checked={entries.identity === 'import'}
          group="identity"
          icon={KeyRound}
          onChoose={() => change({ identity: 'import' })}
          text="With the recovery phrase or the private key of a wallet."
          title="Use one that I have"
        />
        <ChoiceCard
          checked={entries.identity === 'link'}
          group="identity"
          icon={Laptop}
          onChoose={() => change({ identity: 'link' })}
          text="With a one-time code that Waxwing shows on a computer where you use it."
          title="Link from my other computer"
        />
      </fieldset>
    </StepFrame>
  );
}
