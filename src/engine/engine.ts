/**
 * The engine. The cache is the only source of truth, and procedures read and write it. With an account, the
 * outbox and the poller synchronise it with the relay. Runs in a worker thread (worker.ts).
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

/** Duration from which a call is logged, in milliseconds. */
const SLOW_CALL = 1_000;

export interface EngineSettings {
  sealingWorker: URL;
  relays: { embedded: string | null; fixed: string | null };
  /** Called with the wallet key once an identity with it exists: at start, or after set-up. */
  onIdentity?: (walletKey: Uint8Array) => void;
  /** Receipt settings. Default: the defaults. */
  receipts?: ReceiptSettings | undefined;
  /** Clock and randomness. Default: the computer's own. */
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

  /** Answers one procedure. The host has validated its input against the contract. */
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

  /** Changes the receipt settings. The shown delivery of own messages changes with them. */
  setReceipts(settings: ReceiptSettings): void {
    const { context } = this.#parts;
    Object.assign(context.receiptSettings, settings);
    const ids = context.conversations.list().map(({ id }) => String(id));
    for (const conversationId of ids) context.emit('messages.changed', { conversationId });
    if (ids.length > 0) context.emit('conversations.changed', { ids });
  }

  /** The recovery secret of the identity: the phrase, or the key if it has no phrase. */
  recoverySecret(): Answer<string> {
    const identity = this.#parts.context.identity.get();
    if (!identity) return { ok: false, failure: new Failure('not_set_up').data };
    if (!identity.walletKey) return { ok: false, failure: new Failure('wallet_not_kept').data };
    const value = identity.phrase ?? `0x${Buffer.from(identity.walletKey).toString('hex')}`;
    return { ok: true, value };
  }

  /** Access for asking the relay whether messages wait, with its expiry; null without a session. */
  inboxAccess(): InboxAccess | null {
    const account = this.#parts.online?.account;
    const session = account?.session.current;
    if (!account || !session) return null;
    const expiresAt = Date.parse(session.expiresAt);
    const { address, deviceId, relay } = account;
    return { relayUrl: relay.baseUrl, address, deviceId, token: session.token, expiresAt };
  }

  /** Stops in order: an acknowledgement that follows a transaction is still sent. */
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
