import { useEffect, useState } from 'react';

/** `none`: the browser has no notifications. */
export type NotificationState = PermissionState | 'none';

/**
 * The browser's permission for notifications, and the function that asks the person, which requires a click. Null
 * until known.
 */
export function useNotificationPermission(): [NotificationState | null, () => void] {
  const [state, setState] = useState<NotificationState | null>(null);
  useEffect(() => {
    let status: PermissionStatus | null = null;
    let isOver = false;
    const look = () => setState(status?.state ?? 'none');
    void find().then((found) => {
      if (isOver) return;
      status = found;
      look();
      found?.addEventListener('change', look);
    });
    return () => {
      isOver = true;
      status?.removeEventListener('change', look);
    };
  }, []);
  const request = () => {
    void Notification.requestPermission()
      .then(find)
      .then((found) => setState(found?.state ?? 'none'));
  };
  return [state, request];
}

async function find(): Promise<PermissionStatus | null> {
  if (!('Notification' in window)) return null;
  return navigator.permissions.query({ name: 'notifications' }).catch(() => null);
}
