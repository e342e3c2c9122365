import { KeyRound, Laptop, Sparkles } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { t } from '../words.tsx';
import { ChoiceCard } from './choice-card.tsx';
import type { StepProps } from './step.ts';
import { StepFrame } from './step-frame.tsx';

/** The choice between a new account, an existing one, and the one of another computer. */
export function IdentityStep({ entries, change, onBack, onNext }: StepProps) {
  return (
    <StepFrame
      actions={
        <Button tone="primary" type="submit">
          {t('common.continue')}
        </Button>
      }
      onBack={onBack}
      onSubmit={onNext}
      stage={2}
      text={t('firstRun.accountText')}
      title={t('firstRun.account')}
    >
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">{t('firstRun.account')}</legend>
        <ChoiceCard
          checked={entries.identity === 'new'}
          group="identity"
          icon={Sparkles}
          onChoose={() => change({ identity: 'new' })}
          text={t('firstRun.accountNewText')}
          title={t('firstRun.accountNew')}
        />
        <ChoiceCard
          checked={entries.identity === 'import'}
          group="identity"
          icon={KeyRound}
          onChoose={() => change({ identity: 'import' })}
          text={t('firstRun.accountRecoverText')}
          title={t('firstRun.accountRecover')}
        />
        <ChoiceCard
          checked={entries.identity === 'link'}
          group="identity"
          icon={Laptop}
          onChoose={() => change({ identity: 'link' })}
          text={t('firstRun.accountLinkText')}
          title={t('firstRun.accountLink')}
        />
      </fieldset>
    </StepFrame>
  );
}
