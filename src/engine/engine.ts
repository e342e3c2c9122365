/**
 * The engine: the cache is the only truth, procedures read and write it, and while there is an account the outbox
 * and the poller carry what changes between it and the relay. Runs in a worker thread (worker.ts).
 */
import { Failure } from '../base/failure.ts';
import { log, stopwatch, toFailure } from '../base/log.ts';
import type { EventName, EventPayload } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import type { ReceiptSettings } from '../messaging/receipts/settings.ts';
import type { Cache } from './cache/database.ts';
import type { Identity } from './cache/identity-rows.ts';
import { type Context, createContext, type Surroundings } from './context.ts';
import { Expiry } from './expiry.ts';
import { openAccount } from './identity/account.ts';
import { Online } from './online.ts';
import type { EngineParts } from './parts.ts';
import { accountProcedures } from './procedures/account.ts';
import { conversationProcedures } from './procedures/conversations.ts';
import { developerProcedures } from './procedures/developer.ts';
import { deviceProcedures } from './procedures/devices.ts';
import { diagnosticsProcedures } from './procedures/diagnostics.ts';
import { groupProcedures } from './procedures/groups.ts';
import type { Procedures } from './procedures/implementation.ts';
import { messageActionProcedures } from './procedures/message-actions.ts';
import { messageProcedures } from './procedures/messages.ts';
import { peopleProcedures } from './procedures/people.ts';
import { setupProcedures } from './procedures/setup.ts';
import { SealingPool } from './sealing/pool.ts';
import type { InboxAccess } from './start.ts';

/** A call that takes so long is written into the log, in milliseconds. */
const SLOW_CALL = 1_000;

export interface EngineSettings {
  sealingWorker: URL;
  relays: { embedded: string | null; fixed: string | null };
  /** Told the wallet's key once there is an identity that keeps it: at start, or when its set-up is finished. */
  onIdentity?: (walletKey: Uint8Array) => void;
  /** What others are told; the defaults, if none are given. */
  receipts?: ReceiptSettings | undefined;
  /** The computer's own, if none are given. */
  surroundings?: Surroundings;
}

export class Engine {
  readonly #db: Cache;
  readonly #pool: SealingPool;
  readonly #expiry: Expiry;
  readonly #parts: EngineParts;
  readonly #procedures: Procedures;
  readonly #onIdentity: EngineSettings['onIdentity'];

  /**
   * @param db an open cache; the engine closes it
   * @throws Failure if the data belongs to another relay than the fixed one
   */
  constructor(
    db: Cache,
    settings: EngineSettings,
    emit: <E extends EventName>(name: E, payload: EventPayload<E>) => void,
  ) {
    this.#db = db;
    this.#onIdentity = settings.onIdentity;
    this.#pool = new SealingPool(settings.sealingWorker);
    const context = createContext(
      db,
      this.#pool,
      emit,
      settings.surroundings,
      settings.receipts && { ...settings.receipts },
    );
    this.#parts = { context, relays: settings.relays, online: null, goOnline: () => this.#goOnline(context) };
    this.#procedures = {
      ...setupProcedures(this.#parts),
      ...accountProcedures(this.#parts),
      ...conversationProcedures(this.#parts),
      ...messageProcedures(this.#parts),
      ...messageActionProcedures(this.#parts),
      ...groupProcedures(this.#parts),
      ...developerProcedures(this.#parts),
      ...deviceProcedures(this.#parts),
      ...diagnosticsProcedures(this.#parts),
      ...peopleProcedures(this.#parts),
    };
    this.#expiry = new Expiry(context);
    this.#expiry.start();
    const identity = context.identity.get();
    if (identity) checkRelay(identity, settings.relays);
    if (identity?.registeredAt) this.#goOnline(context);
  }

  /** Answers one procedure. Its input has been held to the contract already. */
  async call(name: string, input: unknown): Promise<Answer<unknown>> {
    const procedure = this.#procedures[name as keyof Procedures] as (input: unknown) => unknown;
    const elapsed = stopwatch();
    try {
      this.#expiry.eraseDue();
      return { ok: true, value: await procedure(input) };
    } catch (error) {
      return { ok: false, failure: toFailure(error).data };
    } finally {
      const ms = elapsed();
      if (ms >= SLOW_CALL) log('info', 'call.slow', { of: name, ms });
    }
  }

  /** The person wants others to be told something else: what they see of own messages is another now. */
  setReceipts(settings: ReceiptSettings): void {
    const { context } = this.#parts;
    Object.assign(context.receiptSettings, settings);
    const ids = context.conversations.list().map(({ id }) => String(id));
    for (const conversationId of ids) context.emit('messages.changed', { conversationId });
    if (ids.length > 0) context.emit('conversations.changed', { ids });
  }

  /** What brings the person's identity back: the phrase, or the key where there was none. */
  recoverySecret(): Answer<string> {
    const identity = this.#parts.context.identity.get();
    if (!identity) return { ok: false, failure: new Failure('not_set_up').data };
    if (!identity.walletKey) return { ok: false, failure: new Failure('wallet_not_kept').data };
    const value = identity.phrase ?? `0x${Buffer.from(identity.walletKey).toString('hex')}`;
    return { ok: true, value };
  }

  /** With what someone can ask whether anything waits, and for how long; null without a session at the relay. */
  inboxAccess(): InboxAccess | null {
    const account = this.#parts.online?.account;
    const session = account?.session.current;
    if (!account || !session) return null;
    const expiresAt = Date.parse(session.expiresAt);
    const { address, deviceId, relay } = account;
    return { relayUrl: relay.baseUrl, address, deviceId, token: session.token, expiresAt };
  }

  /** Stops in order: nothing is cut off between its transaction and its acknowledgement that need not be. */
  async close(): Promise<void> {
    this.#expiry.close();
    await this.#parts.online?.close();
    await this.#pool.close();
    this.#db.close();
  }

  #goOnline(context: Context): Online {
    const identity = context.identity.get();
    if (!identity) throw new Failure('not_set_up');
    const url = identity.relayUrl ?? this.#parts.relays.embedded;
    if (url === null) {
      throw new Failure('data_of_embedded_relay');
    }
    const online = new Online(context, openAccount(identity, url));
    this.#parts.online = online;
    online.start();
    if (identity.walletKey) this.#onIdentity?.(identity.walletKey);
    return online;
  }
}

function checkRelay(identity: Identity, relays: EngineSettings['relays']): void {
  if (relays.fixed === null || identity.registeredAt === null) return;
  if (identity.relayUrl !== null && new URL(identity.relayUrl).origin === new URL(relays.fixed).origin)
    return;
  const own = identity.relayUrl ?? 'the relay on this computer';
  throw new Failure('data_of_other_relay', { relay: own });
}
