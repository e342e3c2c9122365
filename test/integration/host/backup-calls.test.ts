/** Backups through a host: by the dialogs of a desktop, and by the URLs of a page. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FILE_PIECE_BYTES } from '../../../src/bridge/files.ts';
import { backupCalls } from '../../../src/host/backup-calls.ts';
import { BackupTransfers } from '../../../src/host/backup-transfers.ts';
import { answerFile, answerPiece } from '../../../src/host/file-answers.ts';
import { callEngine, eventually, setUpWithPhrase, temporaryFolder } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const NOW = new Date(2026, 2, 4, 12);
const PASSPHRASE = 'a long passphrase';

let resources: AsyncDisposableStack;
let ann: LocalEngine;
let phrase: string;
let folder: string;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const relay = resources.use(await new TestRelay().start());
  ann = resources.use(new LocalEngine(relay.url));
  await ann.start();
  ({ phrase } = await setUpWithPhrase(ann, 'ann'));
  folder = resources.use(temporaryFolder()).path;
});
afterEach(() => resources.disposeAsync());

const session = () => ({ backups: ann.handle });

test('a page downloads a backup, uploads it in pieces, and restores it', async () => {
  const transfers = new BackupTransfers(folder);
  const calls = backupCalls(session(), undefined, transfers, () => NOW);
  const { isMade, download } = await calls['backup.make']({ passphrase: PASSPHRASE, withPhrase: false });
  expect(isMade).toBe(true);
  const files = transfers.with(ann.handle);
  const answer = await answerFile(files, 'GET', `${download}?save=1`, null);
  expect(answer.headers['content-disposition']).toContain('Waxwing%202026-03-04.waxwing-backup');
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body ?? []) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  expect(String(bytes.length)).toBe(answer.headers['content-length']);

  await expect(calls['backup.choose']({ from: 'file' })).rejects.toMatchObject({
    code: 'files_in_desktop_only',
  });
  const { path } = await calls['backup.upload']({ size: bytes.length });
  const put = (offset: number, piece: Uint8Array) => answerPiece(files, `${path}?offset=${offset}`, piece);
  const half = Math.min(FILE_PIECE_BYTES, Math.floor(bytes.length / 2));
  expect((await put(0, bytes.subarray(0, half))).status).toBe(204);
  // Before its end, out of order, and beyond its end.
  await expect(calls['backup.restore']({ secret: PASSPHRASE })).rejects.toMatchObject({
    code: 'backup_unreadable',
  });
  expect((await put(0, bytes.subarray(0, half))).status).toBe(409);
  expect((await put(half, Buffer.alloc(bytes.length))).status).toBe(409);
  expect((await put(half, bytes.subarray(half))).status).toBe(204);
  await expect(calls['backup.restore']({ secret: null })).rejects.toMatchObject({
    code: 'backup_secret_wrong',
  });
  await calls['backup.restore']({ secret: PASSPHRASE });
  expect(existsSync(join(folder, 'backup-transfers', 'upload'))).toBe(false);
  // The next start deletes the download.
  expect(new BackupTransfers(folder).uploaded()).toBeNull();
  expect(existsSync(join(folder, 'backup-transfers', 'download'))).toBe(false);
});

test('an uploaded backup that cannot be restored is removed, and one that needs its passphrase stays', async () => {
  const transfers = new BackupTransfers(folder);
  const calls = backupCalls(session(), undefined, transfers, () => NOW);
  const upload = join(folder, 'backup-transfers', 'upload');
  const put = async (bytes: Buffer) => {
    const { path } = await calls['backup.upload']({ size: bytes.length });
    await answerPiece(transfers.with(ann.handle), `${path}?offset=0`, bytes);
  };
  await calls['backup.make']({ passphrase: PASSPHRASE, withPhrase: false });
  const bytes = readFileSync(join(folder, 'backup-transfers', 'download'));
  await put(bytes);
  await expect(calls['backup.restore']({ secret: null })).rejects.toMatchObject({
    code: 'backup_secret_wrong',
  });
  expect(existsSync(upload)).toBe(true);
  await put(bytes.subarray(0, -1));
  await expect(calls['backup.restore']({ secret: PASSPHRASE })).rejects.toMatchObject({
    code: 'backup_damaged',
  });
  expect(existsSync(upload)).toBe(false);
});

test('a damaged backup is no longer chosen after its refusal', async () => {
  const path = join(folder, 'ann.waxwing-backup');
  await ann.handle.makeBackup(path, { passphrase: PASSPHRASE, withPhrase: false });
  writeFileSync(path, readFileSync(path).subarray(0, -1));
  const desktop = {
    askForPlace: async () => null,
    askForBackup: async () => path,
    askForFolder: async () => null,
  };
  const calls = backupCalls(session(), desktop, new BackupTransfers(folder), () => NOW);
  await calls['backup.choose']({ from: 'file' });
  const restore = () => calls['backup.restore']({ secret: PASSPHRASE });
  await expect(restore()).rejects.toMatchObject({ code: 'backup_damaged' });
  await expect(restore()).rejects.toMatchObject({ code: 'backup_unreadable' });
});

test('an uploaded backup that the disk takes in part is refused, and leaves its room to messages', async () => {
  const handle = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const bytes = Buffer.from('the whole backup');
  const transfers = new BackupTransfers(folder);
  const { path } = await backupCalls(session(), undefined, transfers)['backup.upload']({
    size: bytes.length,
  });
  const put = () => answerPiece(transfers.with(ann.handle), `${path}?offset=0`, bytes);
  const write = vi.spyOn(prototype, 'write');
  try {
    write.mockResolvedValueOnce({ bytesWritten: 4, buffer: '' }).mockRejectedValueOnce(full);
    expect((await put()).status).not.toBe(204);
  } finally {
    write.mockRestore();
  }
  expect(transfers.uploaded()).toBeNull();
  expect(existsSync(join(folder, 'backup-transfers', 'upload'))).toBe(false);
});

test('a desktop asks for places, and nothing happens if the person cancels', async () => {
  const target = join(folder, 'ann.waxwing-backup');
  const places: (string | null)[] = [null, target];
  const folders: (string | null)[] = [null, folder];
  const dialogs: string[] = [];
  const desktop = {
    askForPlace: async (name: string) => {
      dialogs.push(name);
      return places.shift() ?? null;
    },
    askForBackup: async (from: 'file' | 'folder') => {
      if (from === 'folder') return folder;
      return existsSync(target) ? target : null;
    },
    askForFolder: async () => folders.shift() ?? null,
  };
  const calls = backupCalls(session(), desktop, new BackupTransfers(folder), () => NOW);
  const choice = { passphrase: null, withPhrase: true };
  expect(await calls['backup.choose']({ from: 'file' })).toEqual({ isChosen: false });
  expect(await calls['backup.make'](choice)).toEqual({ isMade: false, download: null });
  expect(await calls['backup.make'](choice)).toEqual({ isMade: true, download: null });
  expect(dialogs).toEqual(['Waxwing 2026-03-04.waxwing-backup', 'Waxwing 2026-03-04.waxwing-backup']);
  expect(await callEngine(ann, 'backup.get', {})).toMatchObject({
    last: { bytes: readFileSync(target).length },
  });
  expect(await calls['backup.choose']({ from: 'file' })).toEqual({ isChosen: true });
  await calls['backup.restore']({ secret: null });
  for (const call of ['backup.make', 'backup.chooseFolder'] as const)
    await expect(calls[call]({ passphrase: 'short', withPhrase: false })).rejects.toMatchObject({
      code: 'passphrase_short',
    });

  expect(await calls['backup.chooseFolder'](choice)).toEqual({ isChosen: false });
  expect(await callEngine(ann, 'backup.get', {})).toMatchObject({ folder: null });
  expect(await calls['backup.chooseFolder'](choice)).toEqual({ isChosen: true });
  const { folder: made } = await eventually(
    () => callEngine(ann, 'backup.get', {}),
    ({ folder: state, progress }) => state?.at != null && progress === null,
  );
  expect(made).toMatchObject({ problem: null });
  expect(await calls['backup.choose']({ from: 'folder' })).toEqual({ isChosen: true });
  expect(await calls['backup.restore']({ secret: null })).toEqual({ at: made?.at, skipped: 0, leftOut: 0 });
  await callEngine(ann, 'backup.folderEnd', {});
  expect(await callEngine(ann, 'backup.get', {})).toMatchObject({ folder: null });
});

test('a typed passphrase opens a backup alone, also of the recovery phrase that is stored here', async () => {
  const path = join(folder, 'ann.waxwing-backup');
  const desktop = {
    askForPlace: async () => null,
    askForBackup: async () => path,
    askForFolder: async () => null,
  };
  const calls = backupCalls(session(), desktop, new BackupTransfers(folder), () => NOW);
  expect(await ann.handle.makeBackup(path, { passphrase: PASSPHRASE, withPhrase: true })).toMatchObject({
    ok: true,
  });
  await calls['backup.choose']({ from: 'file' });
  const restore = async (secret: string | null) => calls['backup.restore']({ secret });
  // Of words, but not a valid phrase.
  for (const wrong of ['another passphrase', phrase.split(' ').toReversed().join(' ')])
    await expect(restore(wrong)).rejects.toMatchObject({ code: 'backup_secret_wrong' });
  for (const right of [PASSPHRASE, phrase, null]) {
    await calls['backup.choose']({ from: 'file' });
    expect(await restore(right)).toMatchObject({ skipped: 0 });
  }
});
