/**
 * Holding requests to their schemas, and saying what is wrong in words.
 */
import type { z } from 'zod';
import { type FieldProblem, ProblemError } from '../../protocol/problems.ts';

const MOST_ERRORS = 20;
/** Of a field's name that somebody made up, so many characters are repeated. */
const LONGEST_NAME = 64;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value as its schema gives it.
 * @throws ProblemError invalid_request that names the fields
 */
export function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = parse(schema, value);
  if (!result.success) throw invalidRequest(result.error);
  return result.data;
}

/** Parses so that {@link messageOf} can tell what is missing from what is wrong. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, { reportInput: true });
}

/** The problem of a value that does not fit its schema. */
export function invalidRequest(error: z.ZodError): ProblemError {
  const errors = error.issues.flatMap((issue) => fieldProblems(issue, [])).slice(0, MOST_ERRORS);
  const [first] = errors;
  const place = first?.path ? `${first.path}: ` : '';
  return new ProblemError(
    'invalid_request',
    `The request is not well formed. ${place}${first?.message ?? ''}.`,
    {
      errors,
    },
  );
}

type Issue = z.core.$ZodIssue;

function fieldProblems(issue: Issue, above: PropertyKey[]): FieldProblem[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    // Of several forms that a request may have, the one that it misses by least is the one that was meant.
    const branches: Issue[][] = [...issue.errors].sort((a, b) => a.length - b.length);
    const nearest = branches[0];
    if (nearest) return nearest.flatMap((inner) => fieldProblems(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: messageOf(issue) }];
}

/** What a person calls the types of JSON. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' elements' };

/** What is wrong with one value, to be said after its name. The value itself is not repeated. */
export function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown field ${issue.keys.slice(0, MOST_ERRORS).map(shortened).join(', ')}`;
    case 'invalid_type': {
      const type = TYPES[issue.expected];
      if (type === undefined) return issue.message;
      return issue.input === undefined ? `is missing; it must be ${type}` : `must be ${type}`;
    }
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin in UNITS) return 'must not be empty';
      return `must be ${issue.exact ? 'exactly' : 'at least'} ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `must be ${issue.exact ? 'exactly' : 'at most'} ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    default:
      return issue.message;
  }
}

/** A name that somebody made up, without what would make it long or break the line. */
function shortened(name: string): string {
  return JSON.stringify(name.slice(0, LONGEST_NAME));
}
