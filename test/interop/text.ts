/**
 * Texts as bodies hold them, protocol §7: `t(n)`.
 */
import { utf8 } from './bytes.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is control characters that are looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Whether a value is a text of 1 to `limit` bytes of UTF-8, without control characters but LF and TAB. */
export function isText(value: unknown, limit: number): value is string {
  if (typeof value !== 'string' || value === '' || CONTROL.test(value)) return false;
  return value.isWellFormed() && utf8(value).length <= limit;
}
