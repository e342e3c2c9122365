/** Help with problems: the error report, and the place of the log. */
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { CopyDiagnostics } from '../design/copy-diagnostics.tsx';
import { t } from '../words.tsx';

export function Help() {
  const { data: host } = useBridgeQuery('host.info', {});
  const logs = useCommand('diagnostics.openLogs');
  if (!host) return null;
  return (
    <>
      <p className="text-secondary text-ink-soft">{t('settings.helpText')}</p>
      <div className="flex flex-wrap items-center gap-3">
        <CopyDiagnostics />
        <Button busy={logs.isPending} onClick={() => logs.mutate({})} size="small">
          {t(host.kind === 'electron' ? 'settings.logsOpen' : 'settings.logsShow')}
        </Button>
      </div>
      {logs.data && !logs.data.isOpened && (
        <div className="flex items-center justify-between gap-3 text-secondary" role="status">
          <p className="min-w-0">
            <span className="text-ink-soft">{t('settings.logs')}</span>{' '}
            <bdi className="[overflow-wrap:anywhere]">{logs.data.path}</bdi>
          </p>
          <CopyButton label={t('settings.logsCopy')} text={logs.data.path} />
        </div>
      )}
    </>
  );
}
