/** One line of a file to import. Anyone may have written it. */
import { exceedsJsonLimits } from '../../../base/json-limits.ts';

/** Limit of levels in one line: a body has up to 32, inside a few of the record. A host cannot pass on thousands. */
const MAX_LEVELS = 48;

type Json = ReturnType<typeof JSON.parse>;

/** The value of a line, judged by the engine; undefined if it is no JSON, or is nested too deeply to be passed on. */
export function parseRecord(line: string): Json | undefined {
  if (exceedsJsonLimits(line, { levels: MAX_LEVELS })) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
