/** Cursors of paged answers: the store's position, in an opaque form. */

/** The position to continue after. Null for the first page. */
export function decodeCursor(cursor: string | undefined): string | null {
  return cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
}

/** @param next the store's position; null after the last page */
export function encodeCursor(next: string | null): string | null {
  return next === null ? null : Buffer.from(next).toString('base64url');
}
