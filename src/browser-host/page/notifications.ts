/** Notifications of the browser. The host decides on their time and text. */
import type { Notice } from '../../bridge/notice.ts';

const ICON = new URL('../../../build/icons/256x256.png', import.meta.url).href;

export class PageNotifications {
  readonly #shown = new Map<string, Notification>();
  readonly #open: (conversationId: string) => void;

  /** @param open shows a conversation in this page */
  constructor(open: (conversationId: string) => void) {
    this.#open = open;
  }

  /** Shows one, and replaces an earlier one with its key. */
  show({ key, conversationId, title, body, isSilent }: Notice): void {
    this.withdraw(key);
    const { lang } = document.documentElement;
    const notification = make(title, { body, tag: `chat-${key}`, icon: ICON, silent: isSilent, lang });
    if (!notification) return;
    this.#shown.set(key, notification);
    notification.addEventListener('click', () => {
      window.focus();
      this.withdraw(key);
      if (conversationId !== null) this.#open(conversationId);
    });
    notification.addEventListener('close', () => {
      if (this.#shown.get(key) === notification) this.#shown.delete(key);
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
