/**
 * Cursors of paged answers: the place that the store gave, in a form that callers have no reason to look into.
 */

/** What the store goes on after. Null for the first page. */
export function decodeCursor(cursor: string | undefined): string | null {
  return cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
}

/** @param next what the store gave; null after the last page */
export function encodeCursor(next: string | null): string | null {
  return next === null ? null : Buffer.from(next).toString('base64url');
}
