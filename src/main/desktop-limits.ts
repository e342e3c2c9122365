/**
 * Restrictions by the desktop, for Settings: missing tray, refused notifications, and languages with a
 * spelling checker.
 */
import { log } from '../base/log.ts';
import type { DesktopState } from '../bridge/shapes/app.ts';

export class DesktopLimits {
  /** Checked each time: an extension of the desktop may add or remove a tray. */
  readonly hasTray: () => Promise<boolean>;
  readonly #dictionaries: () => string[];
  readonly #onChange: () => void;
  #notificationsFail = false;

  /** @param dictionaries languages with a dictionary; none where the system knows them */
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

  /** Records whether the system showed or refused a notification. */
  noteNotification(isShown: boolean): void {
    if (isShown !== this.#notificationsFail) return;
    this.#notificationsFail = !isShown;
    if (!isShown) log('warn', 'notification.refused');
    this.#onChange();
  }
}
