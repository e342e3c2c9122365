import { useEffect, useRef } from 'react';
import type { Output } from '../../bridge/contract.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { AddressBlock } from '../people/address-block.tsx';
import { useSecondsUntil } from '../shared/use-seconds-until.ts';
import { t } from '../words.tsx';
import { StepProblem } from './confirm-phrase-step.tsx';
import { LinkCode } from './link-code.tsx';
import { relayChoice } from './relay-choice.ts';
import type { StepProps } from './step.ts';
import { StepFrame } from './step-frame.tsx';

/** The interval of checks for an offer, in milliseconds. */
const LOOK_EVERY = 3_000;

type Offer = NonNullable<Output<'setup.findOffer'>['offer']>;

interface LinkStepProps extends Omit<StepProps, 'onNext'> {
  busy: boolean;
  problem: string | null;
  /** Joins the found account. */
  onJoin: (address: string) => void;
}

/** Shows this computer's code, waits until another one links it, and asks whether to join. */
export function LinkStep({ entries, onBack, onJoin, busy, problem }: LinkStepProps) {
  const start = useCommand('setup.startLink', { showsFailure: true });
  const shown = start.data ?? null;
  const isElsewhere = entries.relay === 'url';
  const { data, error } = useBridgeQuery(
    'setup.findOffer',
    {},
    {
      enabled: shown !== null,
      refetchInterval: (found) => (found?.offer ? false : LOOK_EVERY),
    },
  );
  const offer = shown && data?.offer;
  if (offer) {
    return <JoinStep busy={busy} offer={offer} onBack={onBack} onJoin={onJoin} problem={problem} />;
  }
  const show = () => isElsewhere && start.mutate({ relay: relayChoice(entries) });
  return (
    <CodeStep
      isElsewhere={isElsewhere}
      onBack={onBack}
      onShow={show}
      problem={(start.error ?? (shown ? error : null))?.message ?? null}
      shown={shown}
      working={start.isPending}
    />
  );
}

interface CodeStepProps {
  shown: Output<'setup.startLink'> | null;
  isElsewhere: boolean;
  working: boolean;
  problem: string | null;
  onBack: () => void;
  onShow: () => void;
}

function CodeStep({ shown, isElsewhere, working, problem, onBack, onShow }: CodeStepProps) {
  const seconds = useSecondsUntil(shown?.expiresAt ?? 0);
  const isShown = shown !== null && seconds > 0;
  return (
    <StepFrame
      actions={
        !isShown && (
          <Button busy={working} disabled={!isElsewhere} tone="primary" type="submit">
            {shown ? t('firstRun.linkAgain') : t('firstRun.linkShow')}
          </Button>
        )
      }
      onBack={onBack}
      onSubmit={() => !isShown && !working && onShow()}
      stage={2}
      text={t('firstRun.linkText')}
      title={t('firstRun.link')}
    >
      {isShown && <LinkCode code={shown.code} seconds={seconds} uri={shown.uri} />}
      {shown && !isShown && <p role="status">{t('firstRun.linkExpired')}</p>}
      <StepProblem sentence={isElsewhere ? problem : t('firstRun.linkSameServer')} />
    </StepFrame>
  );
}

interface JoinStepProps {
  offer: Offer;
  busy: boolean;
  problem: string | null;
  onBack: () => void;
  onJoin: (address: string) => void;
}

/** The person compares the address with that on the other computer: the handle is the server's claim. */
function JoinStep({ offer: { address, handle }, busy, problem, onBack, onJoin }: JoinStepProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <StepFrame
      actions={
        <>
          <Button disabled={busy} onClick={onBack} tone="quiet">
            {t('common.cancel')}
          </Button>
          <Button busy={busy} tone="primary" type="submit">
            {t('firstRun.joinAction')}
          </Button>
        </>
      }
      onSubmit={() => !busy && onJoin(address)}
      stage={2}
      text={t('firstRun.joinText')}
      title={handle === null ? t('firstRun.joinAddress') : t('firstRun.join', { handle: `@${handle}` })}
    >
      <div className="flex flex-col gap-4 outline-none" ref={place} tabIndex={-1}>
        <AddressBlock address={address} />
        <p className="text-ink-soft">{t('firstRun.joinLacks')}</p>
      </div>
      <StepProblem sentence={problem} />
    </StepFrame>
  );
}
