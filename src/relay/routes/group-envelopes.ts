/**
 * Posting to a group: one sealed copy for each device of each member, all in one call.
 */

import { z } from 'zod';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { FIELD_FAULTS } from '../../protocol/faults.ts';
import type { SendResult } from '../../protocol/schemas/envelopes.ts';
import type { GroupSendResponse } from '../../protocol/schemas/groups.ts';
import type { RelayContext } from '../context.ts';
import {
  type GroupEnvelopeToAccept,
  readGroupEnvelope,
  refusePlaintextFields,
} from '../delivery/read-envelope.ts';
import { type SenderPlace, tooMuchFor } from '../delivery/recipient-limit.ts';
import { refusalOf, rejected } from '../delivery/refusals.ts';
import { ReadyJson } from '../http/ready-json.ts';
import { isRecord, read } from '../http/validation.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { GroupPostOutcome } from '../store/group-records.ts';
import type { AddEndpoint } from './endpoint.ts';
import { notAMember, requireGroup, requireMember } from './group-access.ts';

/** The frame of a post. Its elements are read one by one, so that a refusal can name the wrong one. */
const PostFrame = z.strictObject({ envelopes: z.array(z.unknown()).min(1) });

/** Validated by the handler itself, because plaintext has its own answer. */
const POST = { ...ENDPOINTS.sendGroupEnvelopes, request: z.unknown() };

export function addGroupEnvelopeRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock, queueLimits, networks } = context;

  add(POST, async ({ credential, params, body, network: callers, requireStillValid }) => {
    const group = await requireGroup(context, params.id, credential);
    await requireMember(context, group, credential);
    const network = networks.nameOf(callers);
    const copies = await readPost(context, body, { from: credential.address, network });
    await context.scheduler.next(); // packing thousands of copies for the store takes a slice
    const envelopes = copies.filter(({ wait }) => wait === 0).map(({ envelope }) => envelope);
    await requireStillValid();
    const now = clock();
    context.remembered.count(envelopes);
    const accepting = store.acceptGroupPost({
      group,
      bot: credential.type === 'group_token' ? { id: credential.id, name: credential.name ?? '' } : null,
      account: credential.account,
      from: credential.address,
      via: credential.type,
      network,
      now,
      limits: queueLimits,
      envelopes,
      rateLimitedCopies: copies
        .filter(({ wait }) => wait > 0)
        .map(({ envelope: { to, recipientDeviceKey } }) => ({ to, recipientDeviceKey })),
    });
    const outcome = await accepting.catch((error) => {
      context.remembered.settle(envelopes, []);
      throw error;
    });
    context.remembered.settle(envelopes, outcome.status === 'stored' ? outcome.outcomes : []);
    if (outcome.status === 'sender_not_a_member') throw notAMember();
    if (outcome.status === 'refused') throw elementRefused(outcome.reason, copies, envelopes[outcome.index]);
    waiters.wake(outcome.queues);
    await context.scheduler.next(); // the outcomes of thousands of copies took a slice
    const outcomes = outcome.outcomes.values();
    const results = await context.scheduler.map(copies, ({ envelope, wait }) =>
      wait > 0 ? rejected(tooMuchFor(envelope.to, wait)) : resultOf(outcomes.next().value, envelope),
    );
    const answer: Omit<GroupSendResponse, 'missing'> = {
      accepted: results.filter(({ status }) => status !== 'rejected').length,
      results,
      stale: staleKeys(outcome.outcomes, envelopes),
    };
    const missing = await store.missingAsJson(group.key, outcome.served, now, credential.account);
    return { body: ReadyJson.join(answer, missing) };
  });
}

/** A copy, and the seconds until its recipient can receive again; 0 for now. */
interface Copy {
  envelope: GroupEnvelopeToAccept;
  wait: number;
}

/** @throws ProblemError that names the element: plaintext_rejected, invalid_request, too_large */
async function readPost(context: RelayContext, body: unknown, sender: SenderPlace): Promise<Copy[]> {
  if (isRecord(body)) refusePlaintextFields(body);
  const { envelopes } = read(PostFrame, body);
  const most = context.limits.groupEnvelopes;
  if (envelopes.length > most) {
    throw new ProblemError('too_large', 'post', { most, given: envelopes.length });
  }
  // Elements are garbage once they are read. Those of a large post, still in use, would make a collection the longest slice.
  if (isRecord(body)) body.envelopes = null;
  return context.scheduler.map(envelopes, (input, index) => {
    envelopes[index] = null;
    try {
      const envelope = readGroupEnvelope(input, sender.from, context.limits.payloadBytes);
      const wait = context.recipients.tryConsume(envelope.to, sender);
      return { envelope, wait };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      context.metrics.countEnvelope(error.code);
      throw error.inside(`envelopes.${index}`);
    }
  });
}

function elementRefused(
  reason: 'not_a_member' | 'unknown_device',
  copies: Copy[],
  refused: GroupEnvelopeToAccept | undefined,
): ProblemError {
  const index = copies.findIndex(({ envelope }) => envelope === refused);
  const about = { index, address: refused?.to ?? '' };
  const field = reason === 'not_a_member' ? 'toAddress' : 'recipientDeviceKey';
  const errors = [{ path: `envelopes.${index}.${field}`, message: FIELD_FAULTS[reason](about) }];
  return new ProblemError(reason, 'recipient', about, { errors, status: 422 });
}

type CopyOutcome = Extract<GroupPostOutcome, { status: 'stored' }>['outcomes'][number];

function resultOf(outcome: CopyOutcome | undefined, envelope: GroupEnvelopeToAccept): SendResult {
  if (!outcome) throw new Error('the store gave too few outcomes');
  if ('acceptedAt' in outcome) return { status: outcome.status, id: envelope.id };
  if (outcome.status !== 'stale') return rejected(refusalOf(outcome, envelope));
  return rejected(new ProblemError('unknown_device', 'recipient_key_replaced'));
}

function staleKeys(outcomes: CopyOutcome[], envelopes: GroupEnvelopeToAccept[]): string[] {
  const stale = envelopes.filter((_, index) => outcomes[index]?.status === 'stale');
  return [...new Set(stale.map((envelope) => envelope.recipientDeviceKey))];
}
