/**
 * Names in a folder of automatic backups: one file for each backup, with its manifest, and the blocks of all of them.
 *
 *   Waxwing backup 3f9a2c41/
 *     2026-03-04T120000Z-00000042.waxwing-backup        a backup, by its time and number
 *     blocks/0c/0c51…                            64 hexadecimal digits: some file systems ignore case
 */
import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';
import { decodeBase64Url } from '../protocol/encoding.ts';

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7 * DAY;
const DAYS_KEPT = 7;
const WEEKS_KEPT = 5;

const MANIFEST = /^(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)Z-(\d{8})\.waxwing-backup$/;
const MAX_NUMBER = 99_999_999;
const FOLDER = /^Waxwing backup [0-9a-f]{8}$/;
const BLOCK = /^[0-9a-f]{64}$/;
const BLOCKS_PART = /^[0-9a-f]{2}$/;
const UNFINISHED = /^\.[0-9a-f]{16}\.partial$/;
/** Backups of a folder, and folders with backups in a folder. */
const MAX_NAMES = 10_000;
/** Blocks in all, and names of other files that are passed over in one folder. */
const MAX_BLOCKS = 4_000_000;

export const newFolderName = (): string => `Waxwing backup ${randomBytes(4).toString('hex')}`;

/** @param newest name of the manifest before */
export function newManifestName(at: number, newest: string | undefined): string {
  const number = newest === undefined ? 1 : numberOf(newest) + 1;
  if (number > MAX_NUMBER) throw new Failure('backup_folder_changed');
  const [seconds = ''] = new Date(at).toISOString().split('.');
  return `${seconds.replaceAll(':', '')}Z-${String(number).padStart(8, '0')}.waxwing-backup`;
}

const numberOf = (name: string) => Number(MANIFEST.exec(name)?.[4] ?? 0);

/** Time in the name of a manifest, in milliseconds since 1970; null for another name. */
export function timeOf(name: string): number | null {
  const [, hour, minutes, seconds] = MANIFEST.exec(name) ?? [];
  const time = hour === undefined ? Number.NaN : Date.parse(`${hour}:${minutes}:${seconds}Z`);
  return Number.isNaN(time) ? null : time;
}

export const blocksFolder = (folder: string): string => join(folder, 'blocks');

/** @param name of the block, in base64url */
export function blockPath(folder: string, name: string): string {
  const hex = Buffer.from(decodeBase64Url(name)).toString('hex');
  return join(blocksFolder(folder), hex.slice(0, 2), hex);
}

/**
 * Names of the manifests in a folder, the newest first: by their numbers, because a clock may have been set back. Links,
 * pipes and folders of such names are left out, here and for blocks: another person may have put them there.
 * @throws Failure backup_folder_changed; errors of the system
 */
export async function manifestNames(folder: string): Promise<string[]> {
  const names = await namesIn(folder, (entry) => entry.isFile() && timeOf(entry.name) !== null);
  return names.toSorted((one, other) => numberOf(other) - numberOf(one));
}

/** Folders of backups in a folder. */
export function backupFoldersIn(folder: string): Promise<string[]> {
  return namesIn(folder, (entry) => entry.isDirectory() && FOLDER.test(entry.name));
}

/**
 * A link in the place of a folder would lead writing and removing to another one.
 * @throws Failure backup_folder_changed; errors of the system
 */
export async function requireFolder(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw new Failure('backup_folder_changed');
}

/**
 * Names of the blocks in a folder, in hexadecimal digits, and paths of unfinished ones.
 * @throws Failure backup_folder_changed; errors of the system
 */
export async function blocksIn(folder: string): Promise<{ names: Set<string>; unfinished: string[] }> {
  const found = { names: new Set<string>(), unfinished: [] as string[] };
  await requireFolder(blocksFolder(folder));
  for (const part of await namesIn(blocksFolder(folder), ({ name }) => BLOCKS_PART.test(name))) {
    const place = join(blocksFolder(folder), part);
    await requireFolder(place);
    const isNamed = (name: string) => (BLOCK.test(name) && name.startsWith(part)) || UNFINISHED.test(name);
    const names = await namesIn(
      place,
      (entry) => entry.isFile() && isNamed(entry.name),
      MAX_BLOCKS - found.names.size,
    );
    for (const name of names) {
      if (BLOCK.test(name)) found.names.add(name);
      else found.unfinished.push(join(place, name));
    }
  }
  return found;
}

export const unfinishedName = (): string => `.${randomBytes(8).toString('hex')}.partial`;

/** Paths of manifests that a killed program left. */
export async function unfinishedManifests(folder: string): Promise<string[]> {
  const names = await namesIn(folder, (entry) => entry.isFile() && UNFINISHED.test(entry.name));
  return names.map((name) => join(folder, name));
}

async function namesIn(
  folder: string,
  isWanted: (entry: Dirent) => boolean,
  most = MAX_NAMES,
): Promise<string[]> {
  const names: string[] = [];
  let others = 0;
  for await (const entry of await opendir(folder)) {
    if (isWanted(entry)) names.push(entry.name);
    else others += 1;
    if (names.length > most || others > MAX_BLOCKS) throw new Failure('backup_folder_changed');
  }
  return names;
}

/** The manifests to keep: the newest of each of the last 7 days with one, and of each of the last 5 weeks with one. */
export function retained(names: readonly string[]): Set<string> {
  const newest = (length: number, most: number) => {
    const last = new Map<number, string>();
    for (const name of names) {
      const part = Math.floor((timeOf(name) ?? 0) / length);
      if (!last.has(part) && last.size < most) last.set(part, name);
    }
    return last.values();
  };
  return new Set([...newest(DAY, DAYS_KEPT), ...newest(WEEK, WEEKS_KEPT)]);
}
