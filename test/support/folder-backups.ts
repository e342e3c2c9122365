/** A computer with automatic backups in a folder, for tests. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackupSecrets } from '../../src/archive/keys.ts';
import { type BackedUpDevice, backUp } from './backups.ts';
import type { CachedDevice } from './cached-device.ts';
import { type Act, acts, HistoryWriter, LATER, openAnn, seenIn } from './history.ts';

export const PHRASE: BackupSecrets = { passphrase: null, walletKey: new Uint8Array(32).fill(7) };
export const DAY = 24 * 60 * 60 * 1000;

/** A computer with a folder for automatic backups, on the test's clock. */
export class FolderComputer implements AsyncDisposable {
  clock = LATER;
  /** Folder of the person, with the one of the app. */
  readonly parent = mkdtempSync(join(tmpdir(), 'waxwing-folders-'));
  readonly device: CachedDevice;
  readonly #writer: HistoryWriter;
  readonly backed: BackedUpDevice<CachedDevice>;

  /** @param thread of files */
  constructor(acts: readonly Act[] = [], thread?: URL) {
    this.device = openAnn(() => this.clock);
    this.device.context.identity.markRegistered(this.clock);
    this.#writer = new HistoryWriter(this.device, (at) => {
      this.clock = at;
    });
    this.write(acts);
    this.backed = backUp(this.device, thread);
  }

  write(acts: readonly Act[]): void {
    const now = this.clock;
    for (const act of acts) this.#writer.do(act);
    this.clock = Math.max(now, LATER);
    this.device.context.transaction(() => undefined);
  }

  async begin(): Promise<this> {
    await this.backed.backups.setFolder(this.parent, PHRASE);
    await this.make();
    return this;
  }

  /** @returns the failure, by its code */
  async make(): Promise<string | undefined> {
    await this.backed.backups.makeInFolder();
    return this.backed.backups.state.folder?.problem?.code;
  }

  get path(): string {
    return this.backed.backups.state.folder?.path ?? '';
  }

  manifests(): string[] {
    return readdirSync(this.path)
      .filter((name) => name.endsWith('.waxwing-backup'))
      .toSorted();
  }

  /** Paths of the blocks. */
  blocks(): string[] {
    return readdirSync(join(this.path, 'blocks'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.length > 4)
      .map((name) => join(this.path, 'blocks', name))
      .toSorted();
  }

  /** The result of a restore on a new computer. */
  async restored(path = this.parent): Promise<unknown> {
    await using target = backUp(openAnn(() => this.clock));
    await target.backups.restore(path, PHRASE);
    return seenIn(target.device.context);
  }

  seen(): unknown {
    return seenIn(this.device.context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.backed[Symbol.asyncDispose]();
    rmSync(this.parent, { recursive: true, force: true });
  }
}

export const text = (words: string): Act => ({ is: 'text', chat: 'ben', by: 1, text: words, expires: null });
export const SOME: readonly Act[] = [
  text('Hello Ann'),
  { is: 'file', chat: 'group', by: 1, name: 'a.jpg', size: 3_000 },
  { is: 'reaction', chat: 'ben', by: 0, on: 0, emoji: ['👍'] },
];
/** Acts whose messages stay until the end of a test. */
export const lasting = acts.map((all) =>
  all.filter((act) => act.is !== 'unsent' && !('expires' in act && act.expires)),
);
