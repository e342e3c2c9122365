/**
 * Electron's `autoUpdater` on macOS, which is Squirrel: shell/browser/auto_updater_mac.mm.
 */
import type * as Electron from 'electron';
import { PreventableEvent } from './app.ts';
import { refuseUnknown } from './declarations.ts';
import { DeclaredEmitter } from './strict.ts';

export class SquirrelDouble
  extends DeclaredEmitter
  implements Pick<Electron.AutoUpdater, 'setFeedURL' | 'checkForUpdates'>
{
  /** True if the running app is signed. */
  isSigned = true;
  /** True if the update has the same signature. */
  accepts = true;
  /** The bytes that it has fetched. */
  fetched: Buffer | null = null;
  #feed: Electron.FeedURLOptions | null = null;

  constructor(platform: NodeJS.Platform) {
    super('AutoUpdater', platform);
  }

  /** For an unsigned app it reports this here, during the call, and stores no address. */
  setFeedURL(feed: Electron.FeedURLOptions): void {
    refuseUnknown(feed, 'FeedURLOptions');
    this.#feed = this.isSigned ? feed : null;
    if (!this.isSigned) this.#refuse('Could not get code signature for running application');
  }

  /** Without an address it does nothing, without an error. */
  checkForUpdates(): void {
    if (this.#feed) void this.#check(this.#feed);
  }

  async #check({ url, headers }: Electron.FeedURLOptions): Promise<void> {
    this.emit('checking-for-update');
    const answer = await fetch(url, headers && { headers });
    const update = (await answer.json()) as { url: string };
    this.emit('update-available');
    const file = await fetch(update.url);
    this.fetched = Buffer.from(await file.arrayBuffer());
    if (this.accepts) this.emit('update-downloaded', new PreventableEvent(), '', '', new Date(), update.url);
    else this.#refuse('Code signature did not pass validation');
  }

  #refuse(reason: string): void {
    this.emit('error', new Error(reason), reason);
  }
}
