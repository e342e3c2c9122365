/** The searchable parts of a row of a message. */
import { type Searchable, searchableIn } from '../../base/searchable.ts';
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
