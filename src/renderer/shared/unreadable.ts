/** A file that could not be read: it was moved, changed or removed, or its disk is away. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
