/** Deletes files below a folder of blobs that the store does not know. */
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownBytes } from '../store/blob-records.ts';
import type { Sweep } from './bytes.ts';

/** Folders with the first four digits of an object's name: `ab/cd`. */
const DIGITS = /^[0-9a-f]{2}$/;
const OBJECT = /^[0-9a-f]{32}$/;

/** @throws errors of the system or of `findKnown` */
export async function sweepDirectory(
  root: string,
  { findKnown, before, mayContinue: mayGoOn }: Sweep,
): Promise<void> {
  if (!(await hasKnown(root, findKnown))) return;
  for await (const { path, prefix } of innerFolders(root)) {
    if (!mayGoOn()) return;
    // The names first: an object begun later is in neither list.
    const objects = (await namesIn(path)).filter((name) => OBJECT.test(name));
    const known = byObject(await findKnown(prefix));
    for (const object of objects) {
      const tags = known.get(object);
      if (tags !== 'to drop') await sweepObject(join(path, object), tags, before);
    }
  }
}

/** True if any object here is known. */
async function hasKnown(root: string, findKnown: Sweep['findKnown']): Promise<boolean> {
  for await (const { path, prefix } of innerFolders(root)) {
    const known = byObject(await findKnown(prefix));
    if (known.size > 0 && (await namesIn(path)).some((name) => known.has(name))) return true;
  }
  return false;
}

/** @param tags of the known parts; undefined if the object is unknown */
async function sweepObject(folder: string, tags: Set<string> | undefined, before: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (tags?.has(name) !== true) await removeOld(join(folder, name), before);
  }
  if (tags === undefined) await removeEmpty(folder);
}

async function removeOld(path: string, before: number): Promise<void> {
  const found = await nullIfMissing(stat(path));
  if (found && found.mtimeMs < before) await rm(path, { force: true });
}

async function removeEmpty(folder: string): Promise<void> {
  if ((await namesIn(folder)).length === 0) await nullIfMissing(rmdir(folder));
}

async function* innerFolders(root: string): AsyncGenerator<{ path: string; prefix: string }> {
  for (const first of await namesIn(root)) {
    if (!DIGITS.test(first)) continue;
    for (const second of await namesIn(join(root, first))) {
      if (DIGITS.test(second)) yield { path: join(root, first, second), prefix: first + second };
    }
  }
}

function byObject(known: readonly KnownBytes[]): Map<string, Set<string> | 'to drop'> {
  const tags = new Map<string, Set<string> | 'to drop'>();
  for (const { object, tag, isToDrop } of known) {
    const found = tags.get(object) ?? new Set();
    if (found !== 'to drop' && tag !== null) found.add(tag);
    tags.set(object, isToDrop ? 'to drop' : found);
  }
  return tags;
}

/** The names in a folder, ascending; empty if it does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  return (await nullIfMissing(readdir(folder)))?.sort() ?? [];
}

/** Null where a simultaneous upload or deletion removed it. */
async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
