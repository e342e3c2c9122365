/**
 * Holding requests to their schemas, and saying what is wrong in words.
 */
import type { z } from 'zod';
import { type FieldProblem, ProblemError } from '../../protocol/problems.ts';

const MOST_ERRORS = 20;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value as its schema gives it.
 * @throws ProblemError invalid_request that names the fields
 */
export function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidRequest(result.error);
  return result.data;
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

function messageOf(issue: Issue): string {
  if (issue.code === 'unrecognized_keys')
    return `unknown field ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}, and must be there`;
  return issue.message;
}
