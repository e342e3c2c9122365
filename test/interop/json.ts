import { bytesText } from './bytes.ts';
import { type Fields, isFields } from './forms.ts';
import { must } from './refusal.ts';

/** Depth limit of signed or sealed JSON, including the outermost object (section 3). */
export const SIGNED_DEPTH = 32;
/** Depth limit of a relay's answer (section 15). */
export const ANSWER_DEPTH = 16;

/** Levels of objects and lists, counted before parsing, so that no depth overflows the stack. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isInText) {
      if (code === 0x5c) i++;
      else if (code === 0x22) isInText = false;
    } else if (code === 0x22) isInText = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return deepest;
}

/** The JSON value of a text. Refused as malformed if it is invalid or deeper than `most`. */
export function parseJson(text: string, most: number): unknown {
  must(depthOf(text) <= most, 'malformed', 'nested too deep');
  try {
    return JSON.parse(text);
  } catch {
    must(false, 'malformed', 'no JSON');
  }
}

/** The JSON object in UTF-8 bytes. If a name occurs twice, its last value counts. */
export function parseObject(bytes: Uint8Array, most: number): Fields {
  let text: string;
  try {
    text = bytesText(bytes);
  } catch {
    must(false, 'malformed', 'not UTF-8');
  }
  const value = parseJson(text, most);
  must(isFields(value), 'malformed', 'no object');
  return value;
}
