import { useBridgeQuery } from '../bridge.ts';
import { t } from '../words.tsx';

/** Shown while the key of the messages is stored beside them. This was requested at start. */
export function UnprotectedBanner() {
  const { data: host } = useBridgeQuery('host.info', {});
  if (host?.keyProtection.kind !== 'file') return null;
  return (
    <aside
      aria-label={t('app.unprotected')}
      className="shrink-0 border-line border-b bg-warning-soft px-4 py-1.5 text-center text-secondary text-warning-ink"
    >
      {t('app.unprotectedHelp')}
    </aside>
  );
}
