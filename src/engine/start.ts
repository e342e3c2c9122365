/**
 * Starting an engine: a worker thread of its own, spoken to through the bridge contract alone.
 */

import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { describe } from '../base/error-facts.ts';
import { Failure, type FailureData, failureFrom } from '../base/failure.ts';
import { log, toFailure } from '../base/log.ts';
import type { LogRecord } from '../base/log-record.ts';
import type { RecoveryWrap } from '../base/node/recovery-wrap.ts';
import { type EventName, engineProcedures, events } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import { type FindProxy, findProxyByEnvironment } from '../client/way-out.ts';
import type { ReceiptSettings } from '../messaging/receipts/settings.ts';

export type { ReceiptSettings };

export interface EngineOptions {
  /** The worker entries: this folder's sources by default; a host that bundles passes what it made of them. */
  workers?: { engine: URL; sealing: URL };
  /** The engine's own folder, made with mode 0700. */
  dataDirectory: string;
  /** 32 bytes; the key of the cache. Copied: the caller may overwrite its own. */
  databaseKey: Uint8Array;
  /**
   * Takes the key of the cache wrapped so that the person's recovery phrase opens it, as soon as there is one. The
   * engine has both and gives away neither. Left out where such a wrap is kept already.
   */
  keepRecoveryWrap?: ((wrap: RecoveryWrap) => void) | undefined;
  relays: {
    /** Base URL of the relay that this host has started, if it has. */
    embedded: string | null;
    /** Base URL that the person gave on the command line: no other may be chosen. */
    fixed: string | null;
  };
  /** What others are told of what came and was read; the defaults unless said. */
  receipts?: ReceiptSettings | undefined;
  /** The proxy for calls to another computer; by default the one that the environment names. */
  findProxy?: FindProxy | undefined;
}

/** What the worker is given at start. */
export interface EngineWorkerData extends Omit<EngineOptions, 'workers' | 'keepRecoveryWrap' | 'findProxy'> {
  sealingWorker: string;
  wantsRecoveryWrap: boolean;
}

/** With what a host that has locked can ask the relay whether anything waits. It opens nothing. */
export interface InboxAccess {
  relayUrl: string;
  /** Wire address whose device it is: what is for others does not count. */
  address: string;
  deviceId: string;
  /** Of a session: it ends by itself. */
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** What the worker answers to. */
export interface EngineFunctions {
  call(name: string, input: unknown): Promise<Answer<unknown>>;
  recoverySecret(): Promise<Answer<string>>;
  inboxAccess(): Promise<InboxAccess | null>;
  setReceipts(settings: ReceiptSettings): Promise<void>;
  close(): Promise<void>;
}

/** What the worker tells. */
export interface EngineListeners {
  recoveryWrap(wrap: RecoveryWrap): void;
  /** Asked, not told: the thread has no session of Electron's, and no settings. */
  proxyFor(origin: string): Promise<Answer<string | null>>;
  event(name: EventName, payload: unknown): void;
  started(): void;
  failed(failure: FailureData): void;
  log(record: LogRecord): void;
}

export interface EngineHandle {
  /** Calls an engine procedure. Input and output are held to the contract; failure is data, never a rejection. */
  call(name: string, input: unknown): Promise<Answer<unknown>>;
  /** Every event of the engine. Returns the function that stops listening. */
  onEvent(listener: (name: EventName, payload: unknown) => void): () => void;
  /**
   * What brings the person's identity back, as text: a phrase or a private key. Outside the bridge contract, so that
   * an interface gets it only from a host that has asked for the passphrase.
   * @throws Failure not_set_up, or wallet_not_kept where it is not kept here
   */
  recoverySecret(): Promise<string>;
  /** For a host that is about to lock; null without a session at the relay. */
  inboxAccess(): Promise<InboxAccess | null>;
  /** The person wants others to be told something else. */
  setReceipts(settings: ReceiptSettings): Promise<void>;
  /** Resolves when the worker ends: with null after {@link close}, with a failure when it broke. */
  readonly ended: Promise<Failure | null>;
  /** Ends the worker when what it was writing is durable. */
  close(): Promise<void>;
}

/**
 * Starts an engine.
 * @throws Failure if the data is in use by another process, or its key does not fit
 */
export async function startEngine(options: EngineOptions): Promise<EngineHandle> {
  const { workers, keepRecoveryWrap, findProxy = findProxyByEnvironment, ...rest } = options;
  const entries = workers ?? {
    engine: new URL('./worker.ts', import.meta.url),
    sealing: new URL('./sealing/worker.ts', import.meta.url),
  };
  const workerData: EngineWorkerData = {
    ...rest,
    sealingWorker: entries.sealing.href,
    wantsRecoveryWrap: keepRecoveryWrap !== undefined,
  };
  const worker = new Worker(entries.engine, { workerData });

  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const start = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Failure | null>();
  let closing = false;
  const rpc = createBirpc<EngineFunctions, EngineListeners>(
    {
      event: (name, payload) => {
        const known = events[name]?.safeParse(payload);
        if (known?.success) for (const listener of listeners) listener(name, known.data);
      },
      recoveryWrap: (wrap) => keepRecoveryWrap?.(wrap),
      proxyFor: (origin) =>
        findProxy(origin).then(
          (value): Answer<string | null> => ({ ok: true, value }),
          (error) => ({ ok: false, failure: toFailure(error).data }),
        ),
      started: () => start.resolve(),
      failed: (failure) => start.reject(failureFrom(failure)),
      log: ({ level, event, ...facts }) => log(level, event, facts),
    },
    {
      post: (message) => worker.postMessage(message),
      on: (listener) => worker.on('message', listener),
      // A call may wait for the relay; its own time limits end it.
      timeout: -1,
    },
  );
  const gone = () => {
    const failure = new Failure('engine_stopped');
    rpc.$close(failure);
    start.reject(failure);
    ended.resolve(closing ? null : failure);
  };
  worker.once('error', (error) => {
    log('error', 'engine.stopped', describe(error));
    gone();
  });
  worker.once('exit', gone);

  try {
    await start.promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  }

  return {
    ended: ended.promise,
    async call(name, input) {
      const procedure = procedureNamed(name);
      if (!procedure) return failed('input_malformed');
      const checked = procedure.input.safeParse(input);
      if (!checked.success) return failed('input_malformed');
      let answer: Answer<unknown>;
      try {
        answer = await rpc.call(name, checked.data);
      } catch {
        return failed('engine_stopped');
      }
      if (!answer.ok) return answer;
      const value = procedure.output.safeParse(answer.value);
      return value.success
        ? { ok: true, value: value.data }
        : { ok: false, failure: toFailure(value.error).data };
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async recoverySecret() {
      const answer = await rpc.recoverySecret();
      if (!answer.ok) throw failureFrom(answer.failure);
      return answer.value;
    },
    inboxAccess: () => rpc.inboxAccess(),
    setReceipts: (settings) => rpc.setReceipts(settings),
    async close() {
      closing = true;
      await rpc.close().catch(() => undefined);
      await worker.terminate();
    },
  };
}

function procedureNamed(name: string) {
  return Object.hasOwn(engineProcedures, name)
    ? engineProcedures[name as keyof typeof engineProcedures]
    : null;
}

function failed(code: 'input_malformed' | 'engine_stopped'): Answer<never> {
  return { ok: false, failure: new Failure(code).data };
}
