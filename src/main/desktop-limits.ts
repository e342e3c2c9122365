/**
 * What the desktop lets the app do, for Settings to say: whether there is a tray, whether notifications are refused, and in which
 * languages spelling can be checked.
 */
import { log } from '../base/log.ts';
import type { DesktopState } from '../bridge/shapes.ts';

export class DesktopLimits {
  /** Asked each time: an extension of the desktop may bring a tray, and take it away. */
  readonly hasTray: () => Promise<boolean>;
  readonly #dictionaries: () => string[];
  readonly #onChange: () => void;
  #notificationsFail = false;

  /** @param dictionaries languages whose spelling can be checked; none where the system knows them */
  constructor(hasTray: () => Promise<boolean>, dictionaries: () => string[], onChange: () => void) {
    this.hasTray = hasTray;
    this.#dictionaries = dictionaries;
    this.#onChange = onChange;
  }

  async state(): Promise<DesktopState> {
    return {
      hasTray: await this.hasTray(),
      notificationsFail: this.#notificationsFail,
      dictionaries: this.#dictionaries(),
    };
  }

  /** The system has shown a notification, or has refused to. */
  noteNotification(isShown: boolean): void {
    if (isShown !== this.#notificationsFail) return;
    this.#notificationsFail = !isShown;
    if (!isShown) log('warn', 'notification.refused');
    this.#onChange();
  }
}
