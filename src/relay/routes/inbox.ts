/** Receiving: the queue of a device, with long polling, and acknowledging. */
import { encodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { INBOX_PAGE } from '../../protocol/limits.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import type { RelayContext } from '../context.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { FairQueue } from '../store/fair-queue.ts';
import type { CredentialRecord, InboxPage, QueueKey, StoredEnvelope } from '../store/records.ts';
import { type AddEndpoint, type Call, unauthorized } from './endpoint.ts';

/** The largest page that is built without the scheduler, in bytes of ciphertext. Larger ones need about 20 ms. */
const MADE_AT_ONCE = 64 * 1024;

const NOTHING: InboxPage = { envelopes: [], more: false };

export function addInboxRoutes(add: AddEndpoint, context: RelayContext): void {
  const longPages = new FairQueue();

  add(ENDPOINTS.getInbox, async (call) => {
    const { credential, query } = call;
    const limit = query.limit ?? INBOX_PAGE.default;
    const queue = await findQueue(context, credential, query.device);
    const read = () => readPage(context, call, longPages, queue, limit);
    const page = query.wait ? await waitForMail(context, call, read, queue, query.wait * 1000) : await read();
    return {
      body: {
        device: query.device,
        envelopes: page.envelopes.map(describeEnvelope),
        more: page.more,
      },
    };
  });

  add(ENDPOINTS.acknowledge, async ({ credential, body }) => {
    const queue = await findQueue(context, credential, body.device);
    return { body: { acknowledged: await context.store.acknowledge(queue, body.ids) } };
  });
}

/** @throws ProblemError unknown_device if the address has no such device */
async function findQueue(
  context: RelayContext,
  credential: CredentialRecord,
  deviceId: string,
): Promise<QueueKey> {
  const queue = await context.store.findQueue(credential.account, deviceId);
  if (queue === null) {
    throw new ProblemError('unknown_device', 'own');
  }
  return queue;
}

/**
 * One page of a queue, and room for it until it is sent, so that callers cannot fill the relay with pages that they
 * do not fetch. Long pages are built one per round of the event loop, with each account in its turn. A caller who
 * requests a thousand delays no other.
 * @throws ProblemError rate_limited, unavailable
 */
async function readPage(
  { store, limits, scheduler }: RelayContext,
  { credential, reserveRoom }: Call<typeof ENDPOINTS.getInbox>,
  longPages: FairQueue,
  queue: QueueKey,
  limit: number,
): Promise<InboxPage> {
  const waiting = await store.queuedBytes(queue);
  if (waiting <= MADE_AT_ONCE) return store.readInbox(queue, limit, limits.inboxBytes);
  return longPages.run(credential.account, async () => {
    await scheduler.next();
    reserveRoom(limits.inboxBytes);
    const page = await store.readInbox(queue, limit, limits.inboxBytes);
    const bytes = page.envelopes.reduce((sum, { ciphertext }) => sum + ciphertext.length, 0);
    reserveRoom(bytes - limits.inboxBytes);
    return page;
  });
}

/**
 * The queue's content as soon as there is some; empty when the time or the relay ends first, and after a wake-up without
 * content: the devices of the account have changed.
 */
async function waitForMail(
  context: RelayContext,
  call: Call<typeof ENDPOINTS.getInbox>,
  read: () => Promise<InboxPage>,
  queue: QueueKey,
  milliseconds: number,
): Promise<InboxPage> {
  const { waiters, clock, steady } = context;
  const { credential, query, onGone, requireStillValid } = call;
  using waiter = waiters.open(queue, credential.id);
  onGone(() => waiter.end('gone'));
  // Measured by a monotonic clock: a wall clock set back would extend the call until its connection is cut.
  const end = steady.now() + Math.min(milliseconds, (credential.expiresAt ?? Infinity) - clock());
  for (let isWoken = false; ; isWoken = true) {
    const page = await read();
    const left = end - steady.now();
    if (page.envelopes.length > 0 || left <= 0 || isWoken) return page;
    const reason = await waiter.wait(left);
    if (reason === 'revoked') {
      await requireStillValid(); // other reasons than a revocation are possible
      throw unauthorized();
    }
    if (reason === 'woken') await findQueue(context, credential, query.device); // it may be woken because the queue was deleted
    if (reason === 'gone' || reason === 'stopping') return NOTHING;
  }
}

function describeEnvelope(envelope: StoredEnvelope): InboxEnvelope {
  return {
    id: envelope.id,
    from: envelope.from,
    toAddress: envelope.to,
    ...(envelope.recipientDeviceKey !== null && { recipientDeviceKey: envelope.recipientDeviceKey }),
    ciphertext: envelope.ciphertext.toString('base64url'),
    ephemeralPublicKey: envelope.ephemeralPublicKey.toString('base64url'),
    nonce: envelope.nonce.toString('base64url'),
    asRequest: envelope.asRequest,
    ...(envelope.groupId !== null && { groupId: envelope.groupId }),
    via: envelope.via,
    ...(envelope.bot !== null && { bot: envelope.bot }),
    receivedAt: encodeTime(envelope.receivedAt),
  };
}
