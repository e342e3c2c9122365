import { useBridgeQuery } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { RadioRow, SwitchRow } from '../../design/setting-rows.tsx';
import { clockTime } from '../../shared/time.ts';
import { useNow } from '../../shared/use-now.ts';
import { t } from '../../words.tsx';
import type { SettingProps } from '../entry.ts';
import { QuietHours } from './quiet-hours.tsx';

const levels = [
  { value: 'full', label: t('settings.notificationsFull') },
  { value: 'name', label: t('settings.notificationsName') },
  { value: 'hidden', label: t('settings.notificationsHidden') },
  { value: 'off', label: t('settings.notificationsOff') },
] as const;

/** Contents of notifications. */
export function NotificationLevel({ settings, set }: SettingProps) {
  return (
    <>
      <RadioRow
        legend={t('settings.notificationsShow')}
        onChoose={(notifications) => set({ notifications })}
        options={levels}
        value={settings.notifications}
      />
      <Failure />
      <Pause set={set} settings={settings} />
    </>
  );
}

export function NotificationSound({ settings, set }: SettingProps) {
  return (
    <SwitchRow
      checked={settings.notificationSound}
      disabled={settings.notifications === 'off'}
      explanation={t('settings.soundText')}
      label={t('settings.sound')}
      onChange={(notificationSound) => set({ notificationSound })}
    />
  );
}

const counted = [
  { value: 'all', label: t('settings.badgeAll') },
  { value: 'chats', label: t('settings.badgeChats') },
  { value: 'mentions', label: t('settings.badgeMentions') },
] as const;

/** The number on the app's icon. */
export function BadgeCounts({ settings, set }: SettingProps) {
  return (
    <RadioRow
      legend={t('settings.badgeCounts')}
      onChoose={(badgeCounts) => set({ badgeCounts })}
      options={counted}
      value={settings.badgeCounts}
    />
  );
}

export function MentionsPassMute({ settings, set }: SettingProps) {
  return (
    <SwitchRow
      checked={settings.mentionsPassMute}
      explanation={t('settings.mentionsText')}
      label={t('settings.mentions')}
      onChange={(mentionsPassMute) => set({ mentionsPassMute })}
    />
  );
}

export function NotificationHours({ settings, set }: SettingProps) {
  return (
    <QuietHours
      disabled={settings.notifications === 'off'}
      onChange={(quietHours) => set({ quietHours })}
      value={settings.quietHours}
    />
  );
}

/** The system refuses notifications, with any setting here. */
function Failure() {
  const { data: desktop } = useBridgeQuery('host.desktop', {});
  const { data: host } = useBridgeQuery('host.info', {});
  if (!desktop?.notificationsFail) return null;
  return (
    <p className="rounded-menu bg-warning-soft px-4 py-2.5" role="status">
      {host?.platform === 'darwin' ? t('settings.notificationsFailMac') : t('settings.notificationsFail')}
    </p>
  );
}

/** A pause from the tray's menu; it can be ended here. */
function Pause({
  settings: { notificationsPausedUntil: until },
  set,
}: Pick<SettingProps, 'settings' | 'set'>) {
  const now = useNow(60_000);
  if (until === null || until <= now) return null;
  return (
    <div className="flex items-center justify-between gap-4 rounded-menu bg-warning-soft px-4 py-2.5">
      <p>{t('desktop.pausedUntil', { time: clockTime(until) })}</p>
      <Button onClick={() => set({ notificationsPausedUntil: null })} size="small">
        {t('desktop.resume')}
      </Button>
    </div>
  );
}
