import type { Output } from '../../bridge/contract.ts';
import { fullTime } from '../shared/time.ts';
import { t } from '../words.tsx';

/** The end of a restore, with the time of the backup: an older one may have been in the place of the newest. */
export function Restored({ at, skipped, leftOut }: Output<'backup.restore'>) {
  return (
    <div role="status">
      <p>
        {t(leftOut > 0 ? 'settings.backupRestoredPartly' : 'settings.backupRestored', { time: fullTime(at) })}
      </p>
      {leftOut > 0 && <p className="text-ink-soft">{t('settings.backupLeftOut', { count: leftOut })}</p>}
      {skipped > 0 && <p className="text-ink-soft">{t('settings.backupSkipped', { count: skipped })}</p>}
    </div>
  );
}
