/**
 * Sending: one envelope or a batch.
 */
import { z } from 'zod';
import { encodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import type { Accepted, SendResult } from '../../protocol/schemas/envelopes.ts';
import type { RelayContext } from '../context.ts';
import { readEnvelope, refusePlaintextFields } from '../delivery/read-envelope.ts';
import { refusalOf, rejected } from '../delivery/refusals.ts';
import { isRecord, read } from '../http/validation.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AcceptOutcome, CredentialRecord, EnvelopeToAccept } from '../store/records.ts';
import type { AddEndpoint } from './endpoint.ts';

/** The frame of a batch. Its elements are validated one by one, so that a wrong one does not delay the others. */
const BatchFrame = z.strictObject({ envelopes: z.array(z.unknown()).min(1) });

/** Validated by the handler itself, because plaintext has its own answer. */
const SEND = { ...ENDPOINTS.sendEnvelopes, request: z.unknown() };

export function addEnvelopeRoutes(add: AddEndpoint, context: RelayContext): void {
  add(SEND, async ({ credential, body, network: callers, requireStillValid }) => {
    const sender = { credential, network: context.networks.nameOf(callers), requireStillValid };
    if (isRecord(body) && 'envelopes' in body)
      return { status: 200, body: await sendBatch(context, sender, body) };
    const { accepted, isNew } = await sendOne(context, sender, body);
    return { status: isNew ? 201 : 200, body: accepted };
  });
}

/** The sender, and the name of the network that they call from. */
interface Sender {
  credential: CredentialRecord;
  network: string | null;
  requireStillValid(): Promise<void>;
}

async function sendOne(
  context: RelayContext,
  sender: Sender,
  body: unknown,
): Promise<{ accepted: Accepted; isNew: boolean }> {
  const envelope = tryToRead(context, body, sender);
  if (envelope instanceof ProblemError) throw envelope;
  const [outcome] = await accept(context, sender, [envelope]);
  if (!outcome) throw new Error('the store gave no outcome');
  if (!('acceptedAt' in outcome)) throw refusalOf(outcome, envelope);
  return {
    accepted: { id: envelope.id, acceptedAt: encodeTime(outcome.acceptedAt) },
    isNew: outcome.status === 'accepted',
  };
}

async function sendBatch(
  context: RelayContext,
  sender: Sender,
  body: Record<string, unknown>,
): Promise<{ results: SendResult[] }> {
  refusePlaintextFields(body);
  const { envelopes } = read(BatchFrame, body);
  const most = context.limits.batchEnvelopes;
  if (envelopes.length > most) {
    throw new ProblemError('too_large', 'batch', { most, given: envelopes.length });
  }
  const readings = await context.scheduler.map(envelopes, (input) => tryToRead(context, input, sender));
  await sender.requireStillValid();
  const wellFormed = readings.filter(
    (reading): reading is EnvelopeToAccept => !(reading instanceof ProblemError),
  );
  const outcomes = wellFormed.length > 0 ? await accept(context, sender, wellFormed) : [];
  let next = 0;
  const results = readings.map((reading): SendResult => {
    if (reading instanceof ProblemError) return rejected(reading);
    const outcome = outcomes[next++];
    if (!outcome) throw new Error('the store gave too few outcomes');
    if (!('acceptedAt' in outcome)) return rejected(refusalOf(outcome, reading));
    return { status: outcome.status, id: reading.id };
  });
  return { results };
}

function tryToRead(
  context: RelayContext,
  input: unknown,
  { credential, network }: Sender,
): EnvelopeToAccept | ProblemError {
  const from = credential.address;
  try {
    const envelope = readEnvelope(input, from, context.limits.payloadBytes);
    context.recipients.consume(envelope.to, { from, network });
    return { ...envelope, isRemembered: context.remembered.count(envelope.to) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    context.metrics.countEnvelope(error.code);
    return error;
  }
}

/** Stores envelopes and wakes their waiting recipients. */
async function accept(
  context: RelayContext,
  { credential, network }: Sender,
  envelopes: EnvelopeToAccept[],
): Promise<AcceptOutcome[]> {
  const outcomes = await context.store.acceptEnvelopes({
    from: credential.address,
    account: credential.account,
    via: credential.type,
    network,
    now: context.clock(),
    limits: context.queueLimits,
    envelopes,
  });
  context.remembered.settle(envelopes, outcomes);
  for (const outcome of outcomes) {
    if (outcome.status === 'accepted') context.waiters.wake(outcome.queues);
  }
  return outcomes;
}
