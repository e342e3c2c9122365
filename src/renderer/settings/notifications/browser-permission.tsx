import { Button } from '../../design/button.tsx';
import { t } from '../../words.tsx';
import { type NotificationState, useNotificationPermission } from './use-notification-permission.ts';

const texts: Readonly<Record<NotificationState, string>> = {
  granted: t('settings.permissionGranted'),
  denied: t('settings.permissionDenied'),
  prompt: t('settings.permissionDefault'),
  none: t('settings.permissionNone'),
};

/** The browser's permission for notifications. The browser asks the person only after a click on the button. */
export function BrowserPermission() {
  const [state, request] = useNotificationPermission();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <p>{t('settings.permission')}</p>
        <p className="text-ink-soft text-meta" role="status">
          {state && texts[state]}
        </p>
      </div>
      {state === 'prompt' && (
        <Button onClick={request} size="small">
          {t('settings.permissionAllow')}
        </Button>
      )}
    </div>
  );
}
