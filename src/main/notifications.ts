/**
 * Notifications: what may be shown, decided in one place.
 */
import type { BrowserWindow } from 'electron';
import type { EventPayload } from '../bridge/contract.ts';
import type { Settings } from '../bridge/shapes.ts';
import type { ElectronParts } from './electron.ts';

type Arrived = EventPayload<'message.arrived'>;

/** The words of a notification at a level of privacy, or null for none. */
export function notificationFor(
  { from, group, text, request }: Arrived,
  level: Settings['notifications'],
): { title: string; body: string } | null {
  const author = from.displayName ?? (from.handle === null ? from.address : `@${from.handle}`);
  const name = group === null ? author : `${author} in ${group}`;
  switch (level) {
    case 'off':
      return null;
    case 'hidden':
      return { title: 'Waxwing', body: 'New message' };
    case 'name':
      return { title: name, body: request ? 'Wants to write to you' : 'New message' };
    case 'full':
      return { title: name, body: request ? 'Wants to write to you' : text };
  }
}

/** Shows notifications of arriving messages while the window has not the focus; a click opens the conversation. */
export function notifier(
  { Notification }: ElectronParts,
  window: BrowserWindow,
  settings: () => Settings,
  open: (conversationId: string) => void,
): (arrived: Arrived) => void {
  // One for each conversation: the newest takes the place of the one before.
  const shown = new Map<string, Electron.Notification>();
  return (arrived) => {
    if (window.isVisible() && window.isFocused()) return;
    const words = notificationFor(arrived, settings().notifications);
    if (!words || !Notification.isSupported()) return;
    shown.get(arrived.conversationId)?.close();
    const notification = new Notification({ ...words, silent: false });
    shown.set(arrived.conversationId, notification);
    notification.on('click', () => open(arrived.conversationId));
    notification.on('close', () => {
      if (shown.get(arrived.conversationId) === notification) shown.delete(arrived.conversationId);
    });
    notification.show();
  };
}
