/**
 * What the desktop does not let the app do, for Settings to say: there is no tray, or notifications are refused.
 */
import { log } from '../base/log.ts';
import type { DesktopState } from '../bridge/shapes.ts';

export class DesktopLimits {
  /** Asked each time: an extension of the desktop may bring a tray, and take it away. */
  readonly hasTray: () => Promise<boolean>;
  readonly #onChange: () => void;
  #notificationsFail = false;

  constructor(hasTray: () => Promise<boolean>, onChange: () => void) {
    this.hasTray = hasTray;
    this.#onChange = onChange;
  }

  async state(): Promise<DesktopState> {
    return { hasTray: await this.hasTray(), notificationsFail: this.#notificationsFail };
  }

  /** The system has shown a notification, or has refused to. */
  noteNotification(isShown: boolean): void {
    if (isShown !== this.#notificationsFail) return;
    this.#notificationsFail = !isShown;
    if (!isShown) log('warn', 'notification.refused');
    this.#onChange();
  }
}
