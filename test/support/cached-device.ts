/**
 * A device of a member of a group: its cache, and the engine's own parts that judge and store received messages. These
 * are passed to it as signed: nothing is sealed, posted or opened.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Cache, openCache } from '../../src/engine/cache/database.ts';
import type { StoredGroup } from '../../src/engine/cache/group-chains.ts';
import { type Context, createContext } from '../../src/engine/context.ts';
import { ContentReceiver } from '../../src/engine/receiving/content-receiver.ts';
import type { ReceiveOutcome } from '../../src/engine/receiving/outcome.ts';
import { SealingPool } from '../../src/engine/sealing/pool.ts';
import { contents } from '../../src/messaging/contents/all-kinds.ts';
import { Receipts } from '../../src/messaging/receipts/receipts.ts';
import type { ReceiptSettings } from '../../src/messaging/receipts/settings.ts';
import type { Received } from '../../src/messaging/receiving/received.ts';
import { isDirect, type MessageBody } from '../../src/messaging/sending/outgoing.ts';
import { bodyDigest } from '../../src/protocol/body-digest.ts';
import { encodeBase64Url, encodeUtf8 } from '../../src/protocol/encoding.ts';
import { foldRoster } from '../../src/protocol/roster/fold.ts';
import { emptyRoster, isCreatorOrAdmin } from '../../src/protocol/roster/state.ts';
import { temporaryFolder } from './engine.ts';
import { contextOf, type RosterChain } from './rosters.ts';

const BOTH: ReceiptSettings = { delivered: true, read: true };

/** An id in the form of payloads, the same for the same number. */
export const idOf = (n: number): string =>
  encodeBase64Url(createHash('sha256').update(`${n}`).digest().subarray(0, 16));
/** The device on which everyone writes. */
export const DEVICE = idOf(0);
export const digestOf = (body: MessageBody): string => bodyDigest(encodeUtf8(JSON.stringify(body)));

export interface CachedDevice {
  /** The address of its person. */
  own: string;
  folder: string;
  db: Cache;
  context: Context;
  receiver: ContentReceiver;
  receipts: Receipts;
  group: StoredGroup;
  conversationId: number;
  close(): void;
}

/** @param now its current time */
export function openDevice(own: string, chain: RosterChain, now: () => number): CachedDevice {
  const folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const pool = new SealingPool(new URL('file:///'));
  const context = {
    ...createContext(db, pool, () => undefined, { now, random: () => 0, contents }),
    receiptSettings: BOTH,
  };
  const account = {
    address: own,
    walletKey: null,
    phrase: null,
    deviceSeed: randomBytes(32),
    relayUrl: null,
  };
  context.identity.replacePending(account);
  const folded = foldRoster(emptyRoster(chain.groupId), chain.entries, contextOf(chain.people, now()));
  const group = context.groups.advance(folded.state, [], own);
  const conversationId = context.conversations.ensureForGroup(group.id, now()).id;
  const close = () => {
    db.close();
    folder[Symbol.dispose]();
  };
  const receipts = receiptsOf(context, own, conversationId);
  const receiver = new ContentReceiver(context, own);
  return { own, folder: folder.path, db, context, receiver, receipts, group, conversationId, close };
}

/** Accepts receipts. Informing others in return is not tested here, and nothing is sent. */
function receiptsOf(context: Context, own: string, conversationId: number): Receipts {
  const { dueReceipts, gaps, receipts, now } = context;
  return new Receipts({
    own,
    dues: dueReceipts,
    followed: gaps,
    settings: BOTH,
    exchangeReceipts: () => true,
    firstUnread: () => null,
    highestOwn: () => null,
    store: (_, address, deviceId, receipt) =>
      receipts.store(conversationId, { address, deviceId, reported: receipt }, now()),
    now,
    post: () => Promise.reject(new Error('nothing is sent')),
  });
}

/**
 * Stores received contents, in the caller's transaction.
 * @param manages true if its sender has an owner's or admin's rights; by default the current ones
 * @returns null for a receipt
 */
export function receiveBody(
  { own, receiver, group, receipts }: CachedDevice,
  body: MessageBody,
  receivedAt: number,
  manages = isCreatorOrAdmin(group.state, body.sender),
): ReceiveOutcome | null {
  if (isDirect(body) && body.kind === 'receipt') {
    if (body.peer === own) receipts.handle({ channel: 'direct', deviceId: DEVICE, body });
    return null;
  }
  const channel = isDirect(body) ? 'direct' : 'group';
  const provenance = {
    proof: 'signed' as const,
    judged: contents.judge(channel, body),
    deviceId: DEVICE,
    digest: digestOf(body),
    receivedAt,
    isRequested: false,
    suite: 2 as const,
  };
  const received: Received<StoredGroup> = isDirect(body)
    ? { ...provenance, channel: 'direct', body }
    : { ...provenance, channel: 'group', body, group, notes: null, bot: null, manages };
  return receiver.receive(received);
}
