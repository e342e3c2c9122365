/** The searchable parts of a row of a message. */
import { type Searchable, searchTextOf } from '../../base/searchable.ts';
import { searchableIn } from '../../messaging/contents/searchable.ts';
import type { StoredEdit } from './annotations.ts';

/** Columns of a message to search in. */
export interface SearchableRow {
  body: string;
  edit: string | null;
  deleted_by: string | null;
}

/** Null for a message without searchable parts. */
export function searchableOf({ body, edit, deleted_by }: SearchableRow): Searchable | null {
  if (deleted_by !== null) return null;
  const edited = edit === null ? null : (JSON.parse(edit) as StoredEdit).text;
  return searchableIn(JSON.parse(body) as Record<string, unknown>, edited);
}

/** Bytes in the search index for a message, about: twice each of its trigrams. Measured with random texts of several scripts. */
export function bytesInIndex(content: Searchable): number {
  const characters = [...searchTextOf(content)];
  const trigrams = new Set(characters.map((_, at) => characters.slice(at, at + 3).join('')));
  let bytes = 0;
  for (const trigram of trigrams) bytes += 2 * Buffer.byteLength(trigram);
  return bytes;
}
