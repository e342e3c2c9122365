/**
 * A selection, and what formatting does with it.
 */

/** A text and a part of it, by places as JavaScript counts them. */
export interface Selected {
  text: string;
  from: number;
  to: number;
}

/** Puts a text in place of a part of another. */
export interface Edit {
  from: number;
  to: number;
  put: string;
}

/** What is to be done, in order of places and without overlaps, and what is selected afterwards. */
export interface Formatting {
  edits: readonly Edit[];
  from: number;
  to: number;
}
