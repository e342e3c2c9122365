/** The fault of a value that does not fit its schema, in the words of the wire: for callers and for operators. */
import type { z } from 'zod';
import { type Bound, FIELD_FAULTS, fieldTypes, type SizeUnit, sizeUnits } from '../../protocol/faults.ts';

/** The most faults in one answer, and the most unknown fields in one of them. */
export const MAX_ERRORS = 20;
/** The most characters of an unknown field name that a message repeats. */
const LONGEST_NAME = 64;

type Issue = z.core.$ZodIssue;

/** The fault of one value, to follow its name. The value itself is not repeated. */
export function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return FIELD_FAULTS.unknown_fields({ names: issue.keys.slice(0, MAX_ERRORS).map(shortened) });
    case 'invalid_type': {
      if (!isKeyOf(fieldTypes, issue.expected)) return issue.message;
      return FIELD_FAULTS[issue.input === undefined ? 'missing' : 'type']({ type: issue.expected });
    }
    case 'invalid_value':
      return FIELD_FAULTS.choice({ choices: issue.values });
    case 'too_small':
      if (issue.minimum === 1 && unitOf(issue) !== 'number') return FIELD_FAULTS.empty();
      return FIELD_FAULTS.size({
        bound: boundOf(issue, 'at least', 'more than'),
        size: issue.minimum,
        of: unitOf(issue),
      });
    case 'too_big':
      return FIELD_FAULTS.size({
        bound: boundOf(issue, 'at most', 'less than'),
        size: issue.maximum,
        of: unitOf(issue),
      });
    default:
      return issue.message;
  }
}

/** A caller's field name, shortened and without line breaks. */
function shortened(name: string): string {
  return JSON.stringify(name.slice(0, LONGEST_NAME));
}

function boundOf(
  { exact, inclusive }: Partial<Record<'exact' | 'inclusive', boolean>>,
  included: Bound,
  excluded: Bound,
): Bound {
  if (exact) return 'exactly';
  return inclusive === false ? excluded : included;
}

function unitOf({ origin }: { origin: string }): SizeUnit {
  return isKeyOf(sizeUnits, origin) ? origin : 'number';
}

function isKeyOf<T extends object>(record: T, key: string): key is keyof T & string {
  return Object.hasOwn(record, key);
}
