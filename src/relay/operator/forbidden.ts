/** Paths that Node's permissions exclude, as in the unit and the image of deploy/. */

/**
 * The reason in place of Node's own message, which suggests an option that the operator has not set.
 * @returns null for any other error
 */
export function forbiddenByNode(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED')) return null;
  return "Node's permissions do not allow this path. Use one in a folder that the unit or the image allows";
}
