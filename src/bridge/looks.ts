/** Messages with their own view instead of a text. */

/**
 * The kinds of src/messaging/contents/all-kinds.ts with their own view. The compiler checks that the list is
 * complete.
 */
export type KindWithLook = 'attachment' | 'invite';
/** Reports whether a kind has its own view. */
export const isKindWithLook = (kind: string): kind is KindWithLook =>
  kind === 'attachment' || kind === 'invite';
/** `newer`: a kind unknown to this version. */
export type Look = KindWithLook | 'newer';
