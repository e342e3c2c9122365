/** Validation of requests against their schemas, with readable messages. */
import type { z } from 'zod';
import type { FieldProblem } from '../../protocol/problems.ts';
import { MAX_ERRORS, messageOf } from '../problems/field-fault.ts';
import { ProblemError } from '../problems/problem-error.ts';

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

/** Parses so that `messageOf` can distinguish a missing field from a wrong one. */
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
