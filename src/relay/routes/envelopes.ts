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
  add(SEND, ({ credential, body, network: callers, requireStillValid }) => {
    const sender = { credential, network: context.networks.nameOf(callers), requireStillValid };
    if (!isRecord(body) || !('envelopes' in body)) return sendOne(context, sender, body);
    return sendBatch(context, sender, body).then((results) => ({ status: 200, body: results }));
  });
}

/** The sender, and the name of the network that they call from. */
interface Sender {
  credential: CredentialRecord;
  network: string | null;
  requireStillValid(): Promise<void>;
}

/**
 * Not an async function: most calls send one envelope, and each further promise would cost as much as the checks of a field.
 * @throws ProblemError at once if the envelope is refused
 */
function sendOne(
  context: RelayContext,
  sender: Sender,
  body: unknown,
): Promise<{ status: 200 | 201; body: Accepted }> {
  const envelope = tryToRead(context, body, sender);
  if (envelope instanceof ProblemError) throw envelope;
  return accept(context, sender, [envelope], ([outcome]) => {
    if (!outcome) throw new Error('the store gave no outcome');
    if (!('acceptedAt' in outcome)) throw refusalOf(outcome, envelope);
    const accepted = { id: envelope.id, acceptedAt: encodeTime(outcome.acceptedAt) };
    return { status: outcome.status === 'accepted' ? 201 : 200, body: accepted };
  });
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
  const outcomes = wellFormed.length > 0 ? await accept(context, sender, wellFormed, (all) => all) : [];
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
    return envelope;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    context.metrics.countEnvelope(error.code);
    return error;
  }
}

/**
 * Stores envelopes, counts them and wakes their waiting recipients.
 * @param then makes the result of the outcomes, which are in the order of the envelopes
 */
function accept<Result>(
  context: RelayContext,
  { credential, network }: Sender,
  envelopes: EnvelopeToAccept[],
  then: (outcomes: AcceptOutcome[]) => Result,
): Promise<Result> {
  context.remembered.count(envelopes);
  const stored = context.store.acceptEnvelopes({
    from: credential.address,
    account: credential.account,
    via: credential.type,
    network,
    now: context.clock(),
    limits: context.queueLimits,
    envelopes,
  });
  return stored.then(
    (outcomes) => {
      context.metrics.countEnvelopes(outcomes, envelopes);
      context.remembered.settle(envelopes, outcomes);
      for (const outcome of outcomes) {
        if (outcome.status === 'accepted') context.waiters.wake(outcome.queues);
      }
      return then(outcomes);
    },
    (error) => {
      context.remembered.settle(envelopes, []);
      throw error;
    },
  );
}
