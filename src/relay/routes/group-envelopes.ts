/**
 * Posting to a group: one sealed copy for each device of each member, all in one call.
 */
import { z } from 'zod';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { ProblemError } from '../../protocol/problems.ts';
import type { SendResult } from '../../protocol/schemas/envelopes.ts';
import type { RelayContext } from '../context.ts';
import {
  type GroupEnvelopeToAccept,
  readGroupEnvelope,
  refusePlaintextFields,
} from '../delivery/read-envelope.ts';
import { refusalOf, rejected } from '../delivery/refusals.ts';
import { notAMember, requireGroup, requireMember } from '../groups.ts';
import type { AddEndpoint } from '../http/endpoint.ts';
import { isRecord, read } from '../http/validation.ts';
import type { GroupPostOutcome } from '../store/group-records.ts';

/** The frame of a post. Its elements are read one by one, so that a refusal can name the one that it is about. */
const PostFrame = z.strictObject({ envelopes: z.array(z.unknown()).min(1) });

/** Judged by the handler itself, because plaintext gets an answer of its own. */
const POST = { ...ENDPOINTS.sendGroupEnvelopes, request: z.unknown() };

export function addGroupEnvelopeRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock, limits } = context;

  add(POST, async ({ credential, params, body }) => {
    const group = await requireGroup(context, params.id);
    await requireMember(context, group, credential);
    const envelopes = readPost(context, body, credential.address);
    const { queueEnvelopes, queueBytes } = limits;
    const outcome = await store.acceptGroupPost({
      group,
      account: credential.account,
      from: credential.address,
      via: credential.type,
      now: clock(),
      limits: { queueEnvelopes, queueBytes },
      envelopes,
    });
    if (outcome.status === 'sender_not_a_member') throw notAMember();
    if (outcome.status === 'refused') throw elementRefused(outcome, envelopes);
    waiters.wake(outcome.queues);
    const results = outcome.outcomes.map((each, index) => resultOf(each, envelopes[index]));
    return {
      body: {
        accepted: results.filter(({ status }) => status !== 'rejected').length,
        results,
        missing: outcome.missing,
        stale: staleKeys(outcome.outcomes, envelopes),
      },
    };
  });
}

/** @throws ProblemError that names the element: plaintext_rejected, invalid_request, too_large */
function readPost(context: RelayContext, body: unknown, from: string): GroupEnvelopeToAccept[] {
  if (isRecord(body)) refusePlaintextFields(body);
  const { envelopes } = read(PostFrame, body);
  const most = context.limits.groupEnvelopes;
  if (envelopes.length > most) {
    throw new ProblemError(
      'too_large',
      `A post has at most ${most} envelopes; this one has ${envelopes.length}. Send it in several, with the same message inside.`,
    );
  }
  return envelopes.map((input, index) => {
    try {
      return readGroupEnvelope(input, from);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      context.metrics.countEnvelope(error.code);
      throw error.inside(`envelopes.${index}`);
    }
  });
}

function elementRefused(
  { index, reason }: Extract<GroupPostOutcome, { status: 'refused' }>,
  envelopes: GroupEnvelopeToAccept[],
): ProblemError {
  const { to = '' } = envelopes[index] ?? {};
  const [field, message] =
    reason === 'not_a_member'
      ? ['toAddress', `${to} is not a current member of this group`]
      : ['recipientDeviceKey', `this is no device key of ${to}`];
  return new ProblemError(
    reason,
    `Nothing was sent: of envelope ${index}, ${message}. Read the group again and seal for its current members.`,
    { errors: [{ path: `envelopes.${index}.${field}`, message }], status: 422 },
  );
}

type CopyOutcome = Extract<GroupPostOutcome, { status: 'stored' }>['outcomes'][number];

function resultOf(outcome: CopyOutcome, envelope: GroupEnvelopeToAccept | undefined): SendResult {
  if (!envelope) throw new Error('the store gave too many outcomes');
  if ('acceptedAt' in outcome) return { status: outcome.status, id: envelope.id };
  if (outcome.status !== 'stale') return rejected(refusalOf(outcome, envelope));
  return rejected(
    new ProblemError('unknown_device', 'This device has another key by now. Read the group again.'),
  );
}

function staleKeys(outcomes: CopyOutcome[], envelopes: GroupEnvelopeToAccept[]): string[] {
  const stale = envelopes.filter((_, index) => outcomes[index]?.status === 'stale');
  return [...new Set(stale.map((envelope) => envelope.recipientDeviceKey))];
}
