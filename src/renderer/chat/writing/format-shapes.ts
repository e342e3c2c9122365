/** A selection, and the edits of formatting. */

/** A text and a part of it, by JavaScript string positions. */
export interface Selected {
  text: string;
  from: number;
  to: number;
}

/** Replaces a part of a text. */
export interface Edit {
  from: number;
  to: number;
  put: string;
}

/** The edits, in order and without overlaps, and the selection afterwards. */
export interface Formatting {
  edits: readonly Edit[];
  from: number;
  to: number;
}
