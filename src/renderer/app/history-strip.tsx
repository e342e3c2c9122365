import { useState } from 'react';
import type { Output } from '../../bridge/contract.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { Progress } from '../design/progress.tsx';
import { failureText, t } from '../words.tsx';

type Receiving = NonNullable<Output<'history.get'>['receiving']>;

/** The interval of checks whether the other computer has become silent, in milliseconds. */
const MINUTE = 60_000;

/** The messages that this linked computer receives from another one, over the chats. */
export function HistoryStrip() {
  const { data } = useBridgeQuery(
    'history.get',
    {},
    { refetchInterval: (known) => known?.receiving != null && MINUTE },
  );
  const [asking, setAsking] = useState(false);
  const stop = useCommand('history.stop');
  const receiving = data?.receiving;
  if (!receiving) return null;
  const { state, done, total, problem } = receiving;
  const isRunning = state === 'waiting' || state === 'receiving';
  const end = () => stop.mutate({ deviceId: null });
  return (
    <aside
      aria-label={t('app.history')}
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-line border-b bg-raised px-4 py-1.5 text-secondary"
    >
      <span className="min-w-0 text-center">
        <span role="status">{sentenceOf(receiving)}</span>
        {isRunning && problem && (
          <span className="block text-danger-ink">
            {problem.code === 'disk_full' ? t('app.historyNoRoom') : failureText(problem)}
          </span>
        )}
      </span>
      {state === 'receiving' && (
        <span className="flex w-32">
          <Progress done={done} label={t('app.history')} total={total} />
        </span>
      )}
      <Button
        busy={stop.isPending}
        onClick={() => (isRunning ? setAsking(true) : end())}
        size="small"
        tone="quiet"
      >
        {isRunning ? t('common.cancel') : t('app.historyHide')}
      </Button>
      <Confirmation
        action={t('app.historyStopAction')}
        explanation={t('app.historyStopText')}
        onClose={() => setAsking(false)}
        onConfirm={end}
        open={asking && isRunning}
        title={t('app.historyStop')}
      />
    </aside>
  );
}

function sentenceOf({ state, done, total }: Receiving): string {
  switch (state) {
    case 'waiting':
      return t('app.historyWaiting');
    case 'receiving':
      return t('app.historyReceiving', { percent: total > 0 ? done / total : 0 });
    case 'complete':
      return t('app.historyComplete');
    case 'stopped':
      return t('app.historyStopped');
  }
}
