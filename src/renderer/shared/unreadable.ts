/** A file that could not be read: it was moved, changed or removed, or its disk is away. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/**
 * Reports whether a file that was chosen earlier changed since, or cannot be opened now. A browser has one error for both;
 * for a file that is gone, or whose disk is away, it has another one.
 */
export async function isChanged(file: Blob): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      (error: unknown) => error instanceof DOMException && error.name === 'NotReadableError',
    );
}
