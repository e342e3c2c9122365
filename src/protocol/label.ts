/**
 * Names that a person types or pastes, as the relay takes them.
 */

/** What a name cannot hold: marks that turn the reading direction, and halves of characters that a limit has cut. */
const INVISIBLE = /[\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const BREAK = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** A name on one line without what nobody sees, which comes along with what is pasted. Empty if nothing is left. */
export function toLabel(typed: string): string {
  return typed.replace(INVISIBLE, '').replace(BREAK, ' ').trim();
}
