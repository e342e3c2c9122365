/** Notifications of the browser. The host decides on their time and text. */
import type { Notice } from '../../bridge/notice.ts';

const ICON = new URL('../../../build/icons/256x256.png', import.meta.url).href;

interface PageNotificationsOptions {
  /** Shows a conversation in this page. */
  open: (conversationId: string) => void;
  /** Called when the person or the system removed a notification, or it could not be shown. */
  onGone: (key: string, serial: number) => void;
}

export class PageNotifications {
  readonly #shown = new Map<string, Notification>();
  readonly #options: PageNotificationsOptions;

  constructor(options: PageNotificationsOptions) {
    this.#options = options;
  }

  /** Shows one, and replaces an earlier one with its key. */
  show({ key, serial, conversationId, title, body, isSilent }: Notice): void {
    this.withdraw(key);
    const { lang } = document.documentElement;
    const notification = make(title, { body, tag: `chat-${key}`, icon: ICON, silent: isSilent, lang });
    const { open, onGone } = this.#options;
    if (!notification) {
      onGone(key, serial);
      return;
    }
    this.#shown.set(key, notification);
    notification.addEventListener('click', () => {
      window.focus();
      this.withdraw(key);
      onGone(key, serial);
      if (conversationId !== null) open(conversationId);
    });
    notification.addEventListener('close', () => {
      if (this.#shown.get(key) !== notification) return;
      this.#shown.delete(key);
      onGone(key, serial);
    });
  }

  /** Removes one, if this page shows it. */
  withdraw(key: string): void {
    this.#shown.get(key)?.close();
    this.#shown.delete(key);
  }

  /** Removes all. */
  clear(): void {
    for (const notification of this.#shown.values()) notification.close();
    this.#shown.clear();
  }
}

/** Reports whether this page may show notifications, now and after each change. */
export async function followPermission(onChange: (isAllowed: boolean) => void): Promise<void> {
  const status = await navigator.permissions.query({ name: 'notifications' }).catch(() => null);
  const look = () => onChange(status?.state === 'granted');
  look();
  status?.addEventListener('change', look);
}

/** Null if the browser has none for pages, as on a phone, or none at all. */
function make(title: string, options: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options);
  } catch {
    return null;
  }
}
