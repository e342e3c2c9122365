/**
 * Texts in which nobody sees anything.
 */
import { HALVES, INVISIBLE } from '../protocol/label.ts';

// Also joiners and marks that choose how a character looks, which show nothing by themselves, and an empty braille cell.
const blank = new RegExp(
  `^[\\s\\p{Cc}\\u200c\\u200d\\u2800\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}${HALVES}${INVISIBLE}]*$`,
  'u',
);

/** Whether there is nothing in a text that anyone would see. */
export function isBlank(text: string): boolean {
  return blank.test(text);
}
