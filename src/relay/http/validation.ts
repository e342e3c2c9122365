/** Validation of requests against their schemas, with readable messages. */
import type { z } from 'zod';
import { FIELD_FAULTS, fieldTypes, type SizeUnit, sizeUnits } from '../../protocol/faults.ts';
import type { FieldProblem } from '../../protocol/problems.ts';
import { ProblemError } from '../problems/problem-error.ts';

const MAX_ERRORS = 20;
/** The most characters of an unknown field name that a message repeats. */
const LONGEST_NAME = 64;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value as parsed by its schema.
 * @throws ProblemError invalid_request that names the fields
 */
export function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = parse(schema, value);
  if (!result.success) throw invalidRequest(result.error);
  return result.data;
}

/** Parses so that {@link messageOf} can distinguish a missing field from a wrong one. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, { reportInput: true });
}

/** The problem of a value that does not fit its schema. */
export function invalidRequest(error: z.ZodError): ProblemError {
  const errors = error.issues.flatMap((issue) => fieldProblems(issue, [])).slice(0, MAX_ERRORS);
  const [first] = errors;
  const { path = '', message: fault = '' } = first ?? {};
  return new ProblemError('invalid_request', 'field', { path, fault }, { errors });
}

type Issue = z.core.$ZodIssue;

function fieldProblems(issue: Issue, above: PropertyKey[]): FieldProblem[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    // Of several possible forms of a request, the one with the fewest faults is probably the intended one.
    const branches: Issue[][] = [...issue.errors].sort((a, b) => a.length - b.length);
    const nearest = branches[0];
    if (nearest) return nearest.flatMap((inner) => fieldProblems(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: messageOf(issue) }];
}

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
        bound: issue.exact ? 'exactly' : 'at least',
        size: issue.minimum,
        of: unitOf(issue),
      });
    case 'too_big':
      return FIELD_FAULTS.size({
        bound: issue.exact ? 'exactly' : 'at most',
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

function unitOf({ origin }: { origin: string }): SizeUnit {
  return isKeyOf(sizeUnits, origin) ? origin : 'number';
}

function isKeyOf<T extends object>(record: T, key: string): key is keyof T & string {
  return Object.hasOwn(record, key);
}
