/** The operator's limits: those that differ from the defaults, as JSON. */
import { z } from 'zod';
import { Limits, leastBodyBytes, MAX_WAIT_SECONDS, Quotas } from '../../protocol/limits.ts';
import { OperatorFailure } from '../operator/failure.ts';
import { LIMIT_FAULTS } from '../operator/sentences.ts';
import { DROP_DELAY } from '../rules/blobs.ts';
import { DEFAULT_RELAY_LIMITS, type RelayLimits } from './options.ts';

const count = z.number().int().positive();
const MOST_INBOX_BYTES = 12 * 1024 * 1024;
/**
 * A body of this size is checked and parsed in two pieces of about 20 ms, during which no other call is answered.
 * In bytes.
 */
const MOST_BODY_BYTES = 8 * 1024 * 1024;
/** Deleted bytes remain longer than this, so that no call still uses them. In milliseconds. */
const MOST_PART_TIMEOUT = DROP_DELAY - 60_000;
const Rate = z.strictObject({ burst: count, perSecond: z.number().positive() });

const share = z.number().positive().max(1);

const AllLimits = z
  .strictObject({
    ...Limits.shape,
    bodyBytes: count.max(MOST_BODY_BYTES, LIMIT_FAULTS.body_long),
    quotas: Quotas.strict(),
    headersTimeout: count,
    requestTimeout: count,
    stalledTimeout: count.min(MAX_WAIT_SECONDS * 1000 + 1, LIMIT_FAULTS.stalled_short),
    maxConnections: count,
    connectionsByAddress: count,
    challenges: count,
    auditSeconds: count,
    heldPolls: count,
    shares: z.strictObject({ sender: share, network: share }),
    // Clients read no longer page: in base64url, with its other fields, it has half as much again.
    inboxBytes: count.max(MOST_INBOX_BYTES),
    storedBlobBytes: count,
    blobPartTimeout: count.max(MOST_PART_TIMEOUT),
    writeQueueBytes: count,
    rates: z.strictObject({
      credential: Rate,
      address: Rate,
      login: Rate,
      link: Rate,
      openJoin: Rate,
      recipient: Rate,
    }),
  })
  .refine(({ bodyBytes, payloadBytes }) => bodyBytes >= leastBodyBytes(payloadBytes), {
    path: ['bodyBytes'],
    message: LIMIT_FAULTS.body_short,
  });

const part = z.looseObject({}).optional();
const Written = z.looseObject({ rates: part, shares: part, quotas: part });

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
    rates: { ...DEFAULT_RELAY_LIMITS.rates, ...written.rates },
    quotas: { ...DEFAULT_RELAY_LIMITS.quotas, ...written.quotas },
    shares: { ...DEFAULT_RELAY_LIMITS.shares, ...written.shares },
  });
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    throw new OperatorFailure('limit_unknown', { limit: place === '' ? key : `${place}.${key}` });
  }
  throw new OperatorFailure('limit_unusable', { limit: place, fault: issue?.message ?? '' });
}
