import { useState } from 'react';
import type { Output } from '../../bridge/contract.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { Progress } from '../design/progress.tsx';
import { failureText, t } from '../words.tsx';

type Sending = Output<'history.get'>['sending'][number];

/** The interval of checks whether the linked computer has become silent, in milliseconds. */
const MINUTE = 60_000;

interface HistorySendingProps {
  deviceId: string;
  /** Of the device, for the accessible names of the buttons. */
  label: string;
}

/** The messages that are on their way to a linked computer, under its name. */
export function HistorySending({ deviceId, label }: HistorySendingProps) {
  const { data } = useBridgeQuery(
    'history.get',
    {},
    { refetchInterval: (known) => known !== undefined && known.sending.length > 0 && MINUTE },
  );
  const [asking, setAsking] = useState(false);
  const stop = useCommand('history.stop');
  const offer = useCommand('history.offer');
  const sending = data?.sending.find((each) => each.deviceId === deviceId);
  if (!sending) return null;
  const { done, total, problem } = sending;
  const isMissed = sending.state === 'missed' || sending.state === 'back';
  const stopText = t(isMissed ? 'settings.historyHide' : 'settings.historyStop');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 ps-8">
      <div className="flex min-w-0 flex-1 basis-52 flex-col gap-1.5">
        <p className="text-ink-soft text-meta" role="status">
          {sentenceOf(sending)}
        </p>
        {problem && <p className="text-danger-ink text-meta">{failureText(problem)}</p>}
        {sending.state === 'sending' && (
          <div className="flex">
            <Progress done={done} label={t('settings.historyStarting')} total={total} />
          </div>
        )}
      </div>
      {isMissed && (
        <Button
          aria-label={`${t('settings.historySendAgain')}: ${label}`}
          busy={offer.isPending}
          onClick={() => offer.mutate({ deviceId })}
          size="small"
        >
          {t('settings.historySendAgain')}
        </Button>
      )}
      <Button
        aria-label={`${stopText}: ${label}`}
        busy={stop.isPending}
        onClick={() => (isMissed ? stop.mutate({ deviceId }) : setAsking(true))}
        size="small"
      >
        {stopText}
      </Button>
      <Confirmation
        action={t('settings.historyStop')}
        explanation={t('settings.historyStopText')}
        onClose={() => setAsking(false)}
        onConfirm={() => stop.mutate({ deviceId })}
        open={asking}
        title={t('settings.historyStopTitle')}
      />
    </div>
  );
}

function sentenceOf({ state, done, total }: Sending): string {
  if (state === 'missed') return t('settings.historyMissed');
  if (state === 'back') return t('settings.historyBack');
  if (state === 'waiting') return t('settings.historyWaiting');
  return total > 0 ? t('settings.historySending', { percent: done / total }) : t('settings.historyStarting');
}
