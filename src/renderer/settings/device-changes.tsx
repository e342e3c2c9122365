import { useQueryClient } from '@tanstack/react-query';
import type { DeviceChange } from '../../bridge/shapes/device.ts';
import { queryKey, useBridgeEvent, useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { timerName } from '../people/timer-choices.ts';
import { t } from '../words.tsx';

/** Changes by removed devices that are still in effect: each is kept or undone. Empty if there are none. */
export function DeviceChanges() {
  const client = useQueryClient();
  const { data: changes = [] } = useBridgeQuery('devices.changes', {});
  const refresh = () => void client.invalidateQueries({ queryKey: queryKey('devices.changes') });
  useBridgeEvent('conversations.changed', refresh);
  useBridgeEvent('people.changed', refresh);
  useBridgeEvent('app.changed', refresh);
  const answer = useCommand('devices.answerChanges', {
    onSuccess: (left) => client.setQueryData(queryKey('devices.changes', {}), left),
  });
  if (changes.length === 0) return null;
  const keys = changes.map(({ key }) => key);
  return (
    <section aria-labelledby="device-changes" className="mt-2 rounded-menu border border-line p-4">
      <h4 className="font-semibold text-secondary" id="device-changes">
        {t('settings.changes')}
      </h4>
      <p className="text-ink-soft">{t('settings.changesText')}</p>
      <ul>
        {changes.map((change) => (
          <li className="flex flex-wrap items-center gap-2 py-1.5" key={change.key}>
            <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">
              {changeText(change)}
              {change.seconds !== null && (
                <span className="block text-ink-soft">
                  {t('settings.changedTimerBefore', { time: timerName(change.seconds.before) })}
                </span>
              )}
              {change.before !== null && (
                <span className="block text-ink-soft">
                  {t('settings.changedBefore', { text: change.before })}
                </span>
              )}
              <span className="block text-ink-soft text-meta">
                {change.device.name !== null && <bdi>{change.device.name} </bdi>}
                <code className="font-mono">{change.device.id.slice(0, 8)}</code>
              </span>
            </span>
            <span className="ms-auto flex gap-2">
              <Button
                aria-label={t('settings.changeKeepOf', { change: changeText(change) })}
                busy={answer.isPending}
                onClick={() => answer.mutate({ keys: [change.key], answer: 'keep' })}
                size="small"
                tone="quiet"
              >
                {t('settings.changeKeep')}
              </Button>
              <Button
                aria-label={t('settings.changeUndoOf', { change: changeText(change) })}
                busy={answer.isPending}
                onClick={() => answer.mutate({ keys: [change.key], answer: 'undo' })}
                size="small"
              >
                {t('settings.changeUndo')}
              </Button>
            </span>
          </li>
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
          <Button
            busy={answer.isPending}
            onClick={() => answer.mutate({ keys, answer: 'undo' })}
            size="small"
          >
            {t('settings.changeUndoAll')}
          </Button>
        </div>
      )}
    </section>
  );
}

function changeText({ mark, subject, isSet, text, seconds }: DeviceChange) {
  const set = isSet ? 'yes' : 'no';
  const name = subject ?? '';
  if (mark === 'verified') return t('settings.changedVerified', { name, set });
  if (mark === 'blocked') return t('settings.changedBlocked', { name, set });
  if (mark === 'nickname') {
    return isSet
      ? t('settings.changedNickname', { name, text: text ?? '' })
      : t('settings.changedNoNickname', { name });
  }
  if (mark === 'muted') return t('settings.changedMuted', { name, set });
  if (mark === 'pinned') return t('settings.changedPinned', { name, set });
  if (mark === 'archived') return t('settings.changedArchived', { name, set });
  if (mark === 'displayName') return t('settings.changedName', { set, text: text ?? '' });
  if (mark === 'about') return t('settings.changedAbout', { set });
  if (mark === 'avatar') return t('settings.changedPicture', { set });
  const time = timerName(seconds?.now ?? 0);
  if (mark === 'chatTimer') return t('settings.changedChatTimer', { name, time });
  if (mark === 'groupTimer') return t('settings.changedGroupTimer', { name, time });
  if (mark === 'deviceName') {
    const id = name.slice(0, 8);
    return isSet
      ? t('settings.changedDeviceName', { id, text: text ?? '' })
      : t('settings.changedNoDeviceName', { id });
  }
  return t('settings.changedTimer');
}
