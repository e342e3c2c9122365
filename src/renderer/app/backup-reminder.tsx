import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';

/** In milliseconds. */
const HOUR = 3_600_000;

/** Shown once a month while there is no recent backup. */
export function BackupReminder() {
  const { data } = useBridgeQuery('backup.get', {}, { refetchInterval: () => HOUR });
  const { openSetting } = useNavigation();
  const later = useCommand('backup.remindLater');
  if (!data?.isDue || data.progress !== null) return null;
  return (
    <aside
      aria-label={t('app.backupDue')}
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-line border-b bg-raised px-4 py-1.5 text-secondary"
    >
      <span>{t('app.backupDueText')}</span>
      <span className="flex gap-2">
        <Button onClick={() => openSetting('backup')} size="small">
          {t('app.backupDueOpen')}
        </Button>
        <Button busy={later.isPending} onClick={() => later.mutate({})} size="small" tone="quiet">
          {t('app.backupDueLater')}
        </Button>
      </span>
    </aside>
  );
}
