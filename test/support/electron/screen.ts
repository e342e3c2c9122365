/**
 * Electron's `screen`: the displays of the computer.
 */
import type * as Electron from 'electron';
import type { AppDouble } from './app.ts';

const FULL_HD = { x: 0, y: 0, width: 1920, height: 1080 };

export class ScreenDouble {
  /** Work areas without panels and docks; the first is the primary one. */
  workAreas: Electron.Rectangle[] = [FULL_HD];
  readonly #app: AppDouble;

  constructor(app: AppDouble) {
    this.#app = app;
  }

  getAllDisplays(): Electron.Display[] {
    this.#app.requireReady("The 'screen' module can't be used before the app 'ready' event");
    return this.workAreas.map((workArea) => ({ workArea }) as Electron.Display);
  }

  getPrimaryDisplay(): Electron.Display {
    const [primary] = this.getAllDisplays();
    if (!primary) throw new Error('a computer without a display');
    return primary;
  }
}
