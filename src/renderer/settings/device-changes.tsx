import { useQueryClient } from '@tanstack/react-query';
import type { ChangesAnswered } from '../../bridge/shapes/device.ts';
import { queryKey, useBridgeEvent, useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { failureText, t } from '../words.tsx';
import { DeviceChangeRow } from './device-change-row.tsx';

/**
 * Changes and messages by removed devices that still have an effect: each is kept or undone. Empty without any of them, and
 * without a failed answer.
 */
export function DeviceChanges() {
  const client = useQueryClient();
  const { data: changes = [] } = useBridgeQuery('devices.changes', {});
  const refresh = () => void client.invalidateQueries({ queryKey: queryKey('devices.changes') });
  useBridgeEvent('conversations.changed', refresh);
  useBridgeEvent('people.changed', refresh);
  useBridgeEvent('app.changed', refresh);
  const answer = useCommand('devices.answerChanges', {
    onSuccess: (answered) => client.setQueryData(queryKey('devices.changes', {}), answered.changes),
  });
  const keys = changes.map(({ key }) => key);
  // Messages are deleted only one chat at a time, after a question.
  const undone = changes.flatMap(({ key, mark, undo }) =>
    mark !== 'messages' && undo === 'possible' ? [key] : [],
  );
  const problems = answer.data ? problemsOf(answer.data) : [];
  if (changes.length === 0 && problems.length === 0) return null;
  return (
    <section aria-labelledby="device-changes" className="mt-2 rounded-menu border border-line p-4">
      <h4 className="font-semibold text-secondary" id="device-changes">
        {t('settings.changes')}
      </h4>
      {changes.length > 0 && <p className="text-ink-soft">{t('settings.changesText')}</p>}
      <ul>
        {changes.map((change) => (
          <DeviceChangeRow
            busy={answer.isPending}
            change={change}
            key={change.key}
            onAnswer={(given) => answer.mutate({ keys: [change.key], answer: given })}
          />
        ))}
      </ul>
      {changes.length > 1 && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button
            busy={answer.isPending}
            onClick={() => answer.mutate({ keys, answer: 'keep' })}
            size="small"
            tone="quiet"
          >
            {t('settings.changeKeepAll')}
          </Button>
          {undone.length > 1 && (
            <Button
              busy={answer.isPending}
              onClick={() => answer.mutate({ keys: undone, answer: 'undo' })}
              size="small"
            >
              {t('settings.changeUndoAll')}
            </Button>
          )}
        </div>
      )}
      {/* Visible from each row: the list may be longer than the window. */}
      <div
        className="sticky bottom-0 mt-2 bg-surface py-1 text-danger-ink [overflow-wrap:anywhere] empty:hidden"
        role="alert"
      >
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    </section>
  );
}

/** The failures of an answer, each once. */
function problemsOf({ failures, undeleted }: ChangesAnswered): string[] {
  const failed = failures.map(({ name, failure }) =>
    t('settings.changeFailed', { name, reason: failureText(failure) }),
  );
  return [
    ...new Set(failed),
    ...(undeleted > 0 ? [t('settings.messagesNotDeleted', { count: undeleted })] : []),
  ];
}
