import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input } from '../../bridge/contract.ts';
import { queryKey, useCommand } from '../bridge.ts';
import { ConfirmPhraseStep } from './confirm-phrase-step.tsx';
import { IdentityStep } from './identity-step.tsx';
import { ImportStep } from './import-step.tsx';
import { LinkStep } from './link-step.tsx';
import { PhraseStep } from './phrase-step.tsx';
import { RelayStep } from './relay-step.tsx';
import type { Entries, Relays } from './step.ts';

type Step = 'relay' | 'identity' | 'phrase' | 'confirm' | 'import' | 'link';

/** The way from nothing to an account that is signed in on a server. The profile step follows it. */
export function FirstRun({ relays }: { relays: Relays }) {
  const [step, setStep] = useState<Step>('relay');
  const [entries, setEntries] = useState<Entries>({
    relay: relays.embedded && relays.fixed === null ? 'embedded' : 'url',
    url: relays.fixed ?? '',
    invitation: '',
    identity: 'new',
    writtenDown: false,
    answers: ['', '', ''],
    secret: '',
    code: '',
  });
  const change = (part: Partial<Entries>) => setEntries((previous) => ({ ...previous, ...part }));

  const client = useQueryClient();
  const finish = useCommand('setup.finish', {
    tellsFailure: true,
    onSuccess: () => {
      client.removeQueries({ queryKey: queryKey('setup.newPhrase') });
      client.removeQueries({ queryKey: queryKey('setup.checkSecret') });
      client.removeQueries({ queryKey: queryKey('setup.checkLinkCode') });
      void client.invalidateQueries({ queryKey: queryKey('app.state') });
    },
  });
  const submit = () =>
    finish.mutate({
      relay: entries.relay === 'embedded' ? { kind: 'embedded' } : { kind: 'url', url: entries.url.trim() },
      ...(entries.relay === 'url' && entries.invitation.trim() && { invitation: entries.invitation.trim() }),
      identity: identityOf(entries),
    });

  const go = (next: Step) => () => {
    finish.reset();
    setStep(next);
  };
  const finishing = { busy: finish.isPending || finish.isSuccess, problem: finish.error?.message ?? null };
  const common = { entries, change };
  switch (step) {
    case 'relay':
      return <RelayStep {...common} onNext={go('identity')} relays={relays} />;
    case 'identity':
      return (
        <IdentityStep
          {...common}
          onBack={go('relay')}
          onNext={go(entries.identity === 'new' ? 'phrase' : entries.identity)}
        />
      );
    case 'phrase':
      return <PhraseStep {...common} onBack={go('identity')} onNext={go('confirm')} />;
    case 'confirm':
      return <ConfirmPhraseStep {...common} {...finishing} onBack={go('phrase')} onNext={submit} />;
    case 'import':
      return <ImportStep {...common} {...finishing} onBack={go('identity')} onNext={submit} />;
    case 'link':
      return <LinkStep {...common} {...finishing} onBack={go('identity')} onNext={submit} />;
  }
}

function identityOf({ identity, answers, secret, code }: Entries): Input<'setup.finish'>['identity'] {
  if (identity === 'import') return { kind: 'import', secret: secret.trim() };
  if (identity === 'link') return { kind: 'link', code: code.trim() };
  return { kind: 'new', answers: answers.map((answer) => answer.trim().toLowerCase()) };
}
