import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input } from '../../bridge/contract.ts';
import type { FirstLinks } from '../../bridge/shapes/app.ts';
import { queryKey, useCommand } from '../bridge.ts';
import { ConfirmPhraseStep } from './confirm-phrase-step.tsx';
import { IdentityStep } from './identity-step.tsx';
import { ImportStep } from './import-step.tsx';
import { isSameOrigin } from './invite-field.tsx';
import { KeepDevicesStep } from './keep-devices-step.tsx';
import { LinkStep } from './link-step.tsx';
import { PhraseStep } from './phrase-step.tsx';
import { relayChoice } from './relay-choice.ts';
import { RelayStep } from './relay-step.tsx';
import type { Entries, Relays } from './step.ts';

type Step = 'relay' | 'identity' | 'phrase' | 'confirm' | 'import' | 'keep' | 'link';

interface FirstRunProps {
  relays: Relays;
  links: FirstLinks;
  /** Receives the invite link to be opened after set-up; null for none. */
  onEntered: (entered: FirstLinks['entered']) => void;
}

/** The steps from nothing to an account signed in on a server. The profile step follows. */
export function FirstRun({ relays, links, onEntered }: FirstRunProps) {
  const [step, setStep] = useState<Step>('relay');
  const [entries, setEntries] = useState<Entries>({
    relay: relays.embedded && relays.fixed === null ? 'embedded' : 'url',
    url: relays.fixed ?? '',
    invite: null,
    invitation: '',
    identity: 'new',
    writtenDown: false,
    answers: ['', '', ''],
    secret: '',
    without: [],
  });
  const change = (part: Partial<Entries>) => setEntries((previous) => ({ ...previous, ...part }));

  const client = useQueryClient();
  const finish = useCommand('setup.finish', {
    showsFailure: true,
    onSuccess: () => {
      client.removeQueries({ queryKey: queryKey('setup.newPhrase') });
      client.removeQueries({ queryKey: queryKey('setup.checkSecret') });
      client.removeQueries({ queryKey: queryKey('setup.findOffer') });
      void client.invalidateQueries({ queryKey: queryKey('app.state') });
    },
  });
  const relay = relayChoice(entries);
  // Only for a new account at the server: a linked computer joins an existing one.
  const code = entries.relay === 'url' ? entries.invitation.trim() : '';
  const invited = code === '' ? {} : { invitation: code };
  const submit = (identity: Input<'setup.finish'>['identity']) => {
    // This page is gone when the answer arrives.
    onEntered(followed(entries));
    finish.mutate({ relay, identity, ...(identity.kind !== 'link' && invited) });
  };
  const recover = () => submit({ kind: 'import', secret: entries.secret.trim(), without: entries.without });
  // The account's existing devices are checked first, so that a lost one can be removed.
  const look = useCommand('setup.otherDevices', {
    showsFailure: true,
    onSuccess: (devices) => (devices.length > 0 ? setStep('keep') : recover()),
  });

  const go = (next: Step) => () => {
    finish.reset();
    look.reset();
    setStep(next);
  };
  const leaveLink = () => {
    client.removeQueries({ queryKey: queryKey('setup.findOffer') });
    go('identity')();
  };
  const looking = {
    busy: look.isPending || finish.isPending || finish.isSuccess,
    problem: (look.error ?? finish.error)?.message ?? null,
  };
  const finishing = { busy: finish.isPending || finish.isSuccess, problem: finish.error?.message ?? null };
  const common = { entries, change };
  switch (step) {
    case 'relay':
      return (
        <RelayStep {...common} links={links} onEntered={onEntered} onNext={go('identity')} relays={relays} />
      );
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
      return (
        <ConfirmPhraseStep
          {...common}
          {...finishing}
          onBack={go('phrase')}
          onNext={() => submit({ kind: 'new', answers: entries.answers.map(toPhraseWord) })}
        />
      );
    case 'import':
      return (
        <ImportStep
          {...common}
          {...looking}
          onBack={go('identity')}
          onNext={() => look.mutate({ relay, secret: entries.secret.trim(), ...invited })}
        />
      );
    case 'keep':
      return (
        <KeepDevicesStep
          {...finishing}
          devices={look.data ?? []}
          onBack={go('import')}
          onChange={(without) => change({ without })}
          onNext={recover}
          without={entries.without}
        />
      );
    case 'link':
      return (
        <LinkStep
          {...common}
          {...finishing}
          onBack={leaveLink}
          onJoin={(address) => submit({ kind: 'link', address })}
        />
      );
  }
}

/** The agreed invite link; null if the person has chosen another server since. */
function followed({ invite, relay, url }: Entries): FirstLinks['entered'] {
  if (!invite || relay !== 'url' || !isSameOrigin(url, invite.server)) return null;
  return { text: invite.text, isAgreed: invite.address !== null };
}

function toPhraseWord(typed: string): string {
  return typed.trim().toLowerCase();
}
