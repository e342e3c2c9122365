/**
 * Messages that are more than a text: an interface has a look for each.
 */

/** Of the kinds of src/messaging/contents/all-kinds.ts those with a look of their own. The compiler asks for each. */
export type KindWithLook = 'invite';
/** The same names. */
export const isKindWithLook = (kind: string): kind is KindWithLook => kind === 'invite';
/** `newer`: a kind that this version does not know. */
export type Look = KindWithLook | 'newer';
