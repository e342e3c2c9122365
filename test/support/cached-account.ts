/** The cache of a person's device, without a relay, and contents in the form that the receiver returns. */
import { randomBytes } from 'node:crypto';
import { type Cache, openCache } from '../../src/engine/cache/database.ts';
import { type Context, createContext } from '../../src/engine/context.ts';
import { ContentReceiver } from '../../src/engine/receiving/content-receiver.ts';
import type { ReceiveOutcome } from '../../src/engine/receiving/outcome.ts';
import { SealingPool } from '../../src/engine/sealing/pool.ts';
import { contents } from '../../src/messaging/contents/all-kinds.ts';
import type { SenderProof } from '../../src/messaging/contents/rights.ts';
import type { Provenance, Received } from '../../src/messaging/receiving/received.ts';
import { bodyDigest } from '../../src/protocol/body-digest.ts';
import { encodeUtf8 } from '../../src/protocol/encoding.ts';
import type { DirectBody } from '../../src/protocol/payload.ts';
import { temporaryFolder } from './engine.ts';

export interface CachedAccount extends AsyncDisposable {
  db: Cache;
  context: Context;
}

/**
 * @param address of its person
 * @param now its clock, in milliseconds since 1970
 * @param emit receives the engine's events
 */
export function openAccount(
  address: string,
  now: () => number,
  emit: (name: string, payload: unknown) => void = () => undefined,
): CachedAccount {
  const folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const pool = new SealingPool(new URL('../../src/engine/sealing/worker.ts', import.meta.url));
  const context = createContext(db, pool, emit, { now, random: () => 0 });
  const keys = { walletKey: null, phrase: null, deviceSeed: randomBytes(32), relayUrl: null };
  context.identity.replacePending({ address, ...keys });
  return {
    db,
    context,
    async [Symbol.asyncDispose]() {
      db.close();
      await pool.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A direct content as the receiver returns it: by default signed; `proof` changes that. */
export function receivedDirect(
  body: DirectBody,
  origin: Partial<Provenance> & { receivedAt: number; proof?: SenderProof },
): Received<never> {
  return {
    deviceId: null,
    digest: bodyDigest(encodeUtf8(JSON.stringify(body))),
    isRequested: false,
    suite: 2,
    proof: 'signed',
    ...origin,
    channel: 'direct',
    body,
    judged: contents.judge('direct', body),
  };
}

/** Receives a content and emits its events. @param own the person's address */
export function receive(context: Context, own: string, received: Received<never>): ReceiveOutcome {
  const receiver = new ContentReceiver(context, own);
  const outcome = context.transaction(() => receiver.receive(received));
  receiver.notify([outcome], []);
  return outcome;
}
