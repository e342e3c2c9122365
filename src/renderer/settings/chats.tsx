import { useBridgeQuery, useCommand } from '../bridge.ts';
import { RadioRow, SwitchRow } from '../design/setting-rows.tsx';
import { timerChoices, timerName } from '../people/timer-choices.ts';
import { modEnter } from '../shared/shortcuts.ts';
import { t } from '../words.tsx';
import type { SettingProps } from './entry.ts';

const keys = [
  { value: 'enter', label: t('settings.sendWithEnter') },
  { value: 'mod-enter', label: modEnter },
] as const;

/** The key that sends a message. */
export function SendWith({ settings, set }: SettingProps) {
  return (
    <RadioRow
      legend={t('settings.sendWith')}
      onChoose={(sendWith) => set({ sendWith })}
      options={keys}
      value={settings.sendWith}
    />
  );
}

/** Receipts for delivered messages. Without sending them, those of others are hidden. */
export function DeliveredReceipts({ settings, set }: SettingProps) {
  return (
    <SwitchRow
      checked={settings.deliveredReceipts}
      explanation={t('settings.deliveredText')}
      label={t('settings.delivered')}
      onChange={(deliveredReceipts) => set({ deliveredReceipts })}
    />
  );
}

/** The same for read messages. */
export function ReadReceipts({ settings, set }: SettingProps) {
  return (
    <SwitchRow
      checked={settings.readReceipts}
      explanation={t('settings.readText')}
      label={t('settings.read')}
      onChange={(readReceipts) => set({ readReceipts })}
    />
  );
}

/** Previews of links, fetched by this computer for messages of this person. */
export function LinkPreviews({ settings, set }: SettingProps) {
  return (
    <SwitchRow
      checked={settings.linkPreviews}
      explanation={t('settings.linkPreviewsText')}
      label={t('settings.linkPreviews')}
      onChange={(linkPreviews) => set({ linkPreviews })}
    />
  );
}

/** The lifetime of messages in new chats and groups: the same on all own devices. */
export function DefaultTimer() {
  const { data } = useBridgeQuery('conversations.defaultTimer', {});
  const set = useCommand('conversations.setDefaultTimer');
  const options = timerChoices.map((seconds) => ({ value: String(seconds), label: timerName(seconds) }));
  return (
    <div className="flex flex-col gap-2">
      <RadioRow
        legend={t('settings.timer')}
        onChoose={(seconds) => set.mutate({ seconds: Number(seconds) })}
        options={options}
        value={String(data?.seconds ?? 0)}
      />
      <p className="text-ink-soft text-meta">{t('settings.timerText')}</p>
    </div>
  );
}
