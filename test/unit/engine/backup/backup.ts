import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackupSecrets } from '../../../../src/archive/keys.ts';
import { backUp } from '../../../support/backups.ts';
import { type Act, HistoryWriter, LATER, openAnn } from '../../../support/history.ts';

export const WALLET = new Uint8Array(32).fill(7);

/** The cheap one: scrypt needs a third of a second. */
export const PHRASE: BackupSecrets = { passphrase: null, walletKey: WALLET };

export const folder = mkdtempSync(join(tmpdir(), 'waxwing-backups-'));

export let count = 0;

export const newPath = () => join(folder, `${++count}.waxwing-backup`);

export function deviceWith(all: readonly Act[]) {
  let clock = LATER;
  const device = openAnn(() => clock);
  const writer = new HistoryWriter(device, (at) => {
    clock = at;
  });
  for (const act of all) writer.do(act);
  clock = LATER;
  device.context.transaction(() => undefined);
  return backUp(device);
}

export const SOME: readonly Act[] = [
  { is: 'text', chat: 'ben', by: 1, text: 'Hello Ann', expires: null },
  { is: 'text', chat: 'ben', by: 0, text: 'Hello Ben', expires: null },
  { is: 'file', chat: 'group', by: 1, name: 'a.jpg', size: 3_000 },
  { is: 'reaction', chat: 'ben', by: 0, on: 0, emoji: ['👍'] },
];
