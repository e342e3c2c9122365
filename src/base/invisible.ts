/** Texts without visible characters. */
import { HALVES, INVISIBLE } from '../protocol/label.ts';

// Includes joiners, variation selectors and the empty braille cell, which show nothing by themselves.
const blank = new RegExp(
  `^[\\s\\p{Cc}\\u200c\\u200d\\u2800\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}${HALVES}${INVISIBLE}]*$`,
  'u',
);

/** Reports whether a text has no visible character. */
export function isBlank(text: string): boolean {
  return blank.test(text);
}
