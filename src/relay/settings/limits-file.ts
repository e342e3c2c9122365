/** The operator's limits: those that differ from the defaults, as JSON. */
import { z } from 'zod';
import { OperatorFailure } from '../operator/failure.ts';
import { messageOf } from '../problems/field-fault.ts';
import { AllLimits, DEFAULT_RELAY_LIMITS, type RelayLimits } from './limits.ts';

/** Limits under one name, of which the file may leave out some. */
const GROUPS = ['rates', 'quotas', 'shares'] as const;
const part = z.looseObject({}).optional();
const Written = z.looseObject({ rates: part, quotas: part, shares: part } satisfies Record<
  (typeof GROUPS)[number],
  z.ZodType
>);

/**
 * The default limits, with those in the text in their place.
 * @throws OperatorFailure limits_not_json, limit_unknown, limit_unusable
 */
export function parseLimits(text: string): RelayLimits {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new OperatorFailure('limits_not_json');
  }
  const written = check(Written, json);
  return check(AllLimits, {
    ...DEFAULT_RELAY_LIMITS,
    ...written,
    ...Object.fromEntries(GROUPS.map((name) => [name, { ...DEFAULT_RELAY_LIMITS[name], ...written[name] }])),
  });
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  // A schema's own message has priority.
  const result = schema.safeParse(value, {
    reportInput: true,
    error: (issue) => messageOf(issue as z.core.$ZodIssue),
  });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    throw new OperatorFailure('limit_unknown', { limit: place === '' ? key : `${place}.${key}` });
  }
  throw new OperatorFailure('limit_unusable', { limit: place, fault: issue?.message ?? '' });
}
