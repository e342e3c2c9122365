/**
 * Stores for tests of every engine's contract: on a file, or on the PostgreSQL that the environment names.
 */
import { hash, randomBytes } from 'node:crypto';
import type { DeviceList } from '../../src/protocol/device-list.ts';
import { encodeTime } from '../../src/protocol/encoding.ts';
import type { SealKey } from '../../src/protocol/seal-key.ts';
import { openPostgresStore } from '../../src/relay/store/postgres/store.ts';
import type {
  AcceptOutcome,
  AccountKey,
  EnvelopesToAccept,
  EnvelopeToAccept,
  NewSession,
  PublishOutcome,
  QueueKey,
} from '../../src/relay/store/records.ts';
import { openSqliteStore } from '../../src/relay/store/sqlite/store.ts';
import type { Store } from '../../src/relay/store/store.ts';
import { temporaryFolder } from './engine.ts';
import { dropDatabase, newDatabase } from './relay-database.ts';

const DAY = 24 * 3_600_000;
/** The default time of all events. */
export const NOW = Date.UTC(2027, 0, 1);
const HELD = 1e9;

export type Engine = 'file' | 'postgres';
export type OpenStore = AsyncDisposable & { store: Store };

/** An empty store. @param engine by default that of the environment */
export async function openStore(engine?: Engine): Promise<OpenStore> {
  const url = engine === 'file' ? null : await newDatabase();
  if (engine === 'postgres' && url === null) throw new Error('these tests have no PostgreSQL');
  if (url !== null) {
    const { store } = await openPostgresStore({ url, queueBytes: HELD, onWarning: () => undefined });
    return {
      store,
      async [Symbol.asyncDispose]() {
        await store.close();
        await dropDatabase(url);
      },
    };
  }
  const folder = temporaryFolder();
  const store = await openSqliteStore({
    dataDirectory: folder.path,
    queueBytes: HELD,
    onBroken(reason) {
      throw new Error(reason);
    },
  });
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Bytes derived from a name: the same each time. */
export function bytesFor(name: string, length: number): Buffer {
  return hash('sha512', name, 'buffer').subarray(0, length);
}

const text = (name: string, length: number) => bytesFor(name, length).toString('base64url');

/** A unique name. */
export function unique(): string {
  return randomBytes(8).toString('hex');
}

/** A person at a store, by a name: the same one in each store. Nothing here is signed: stores accept verified data. */
export class StoreMember {
  readonly store: Store;
  readonly name: string;
  readonly address: string;
  account: AccountKey = -1;
  #list: DeviceList | null = null;

  constructor(store: Store, name: string) {
    this.store = store;
    this.name = name;
    this.address = `0x${bytesFor(name, 20).toString('hex')}`;
  }

  /** The request for its session of this name. */
  session(session: string, more: Partial<NewSession> = {}): NewSession {
    return {
      id: this.id(session),
      digest: this.digest(session),
      address: this.address,
      createdAt: NOW,
      expiresAt: NOW + 30 * DAY,
      renewal: null,
      admission: { policy: 'open', invitation: null },
      reopens: false,
      ...more,
    };
  }

  /** The id and digest of a credential of this name. */
  id(credential: string): string {
    return text(`id ${this.name} ${credential}`, 16);
  }

  digest(credential: string): Uint8Array {
    return bytesFor(`secret ${this.name} ${credential}`, 32);
  }

  /** Logs in. @throws if the login is refused */
  async join(session = 'first', more: Partial<NewSession> = {}): Promise<this> {
    const { status } = await this.store.createSession(this.session(session, more), 8);
    if (status !== 'opened') throw new Error(`not let in: ${status}`);
    const { account } = (await this.store.findCredential(this.digest(session), NOW)) ?? {};
    if (account === undefined) throw new Error('a session that was just made is missing');
    this.account = account;
    return this;
  }

  device(device: string): string {
    return text(`device ${this.name} ${device}`, 16);
  }

  /** The public seal key of a device, by its number. */
  sealKey(device: string, sequence = 1): string {
    return text(`seal key ${this.name} ${device} ${sequence}`, 32);
  }

  statement(device: string, sequence = 1, now = NOW): SealKey {
    return {
      deviceId: this.device(device),
      key: this.sealKey(device, sequence),
      pq: null,
      listSequence: 1,
      sequence,
      notBefore: encodeTime(now),
      notAfter: encodeTime(now + 30 * DAY),
      signature: text('a signature', 64),
    };
  }

  list(devices: readonly string[], sequence: number, now = NOW): DeviceList {
    return {
      sequence,
      previous: null,
      issued: encodeTime(now),
      unsigned: [],
      devices: devices.map((device) => ({
        deviceId: this.device(device),
        key: text(`key ${this.name} ${device}`, 32),
        type: 'app',
        validUntil: encodeTime(now + 365 * DAY),
      })),
      signature: `0x${bytesFor('a signature', 64).toString('hex')}00`,
    };
  }

  /** Publishes the list that follows, with a seal key of each device. */
  async publish(devices: readonly string[] = ['phone'], now = NOW): Promise<PublishOutcome> {
    const after = this.#list?.sequence ?? 0;
    const deviceList = this.list(devices, after + 1, now);
    const outcome = await this.store.publishDevices({
      account: this.account,
      session: this.id('first'),
      deviceList,
      after,
      sealKeys: devices.map((device) => ({ sealKey: this.statement(device), pqKey: null })),
      now,
    });
    if (outcome.status === 'published') this.#list = deviceList;
    return outcome;
  }

  async queue(device = 'phone'): Promise<QueueKey> {
    const queue = await this.store.findQueue(this.account, this.device(device));
    if (queue === null) throw new Error('this device has no queue');
    return queue;
  }

  /** Waiting envelopes of a device, by name. */
  async inbox(device = 'phone'): Promise<string[]> {
    const { envelopes } = await this.store.readInbox(await this.queue(device), 500, 1e9);
    return envelopes.map(({ ciphertext }) => ciphertext.toString('utf8').trimEnd());
  }

  /** Sends envelopes of these names to one device, or to all. */
  async send(
    to: StoreMember,
    names: readonly string[],
    more: Partial<EnvelopesToAccept> &
      Partial<Pick<EnvelopeToAccept, 'recipientDeviceKey' | 'isRemembered'>> = {},
  ): Promise<AcceptOutcome[]> {
    const { recipientDeviceKey = null, isRemembered = true, ...rest } = more;
    return this.store.acceptEnvelopes({
      from: this.address,
      account: this.account,
      via: 'session',
      network: null,
      now: NOW,
      limits: ROOMY,
      envelopes: names.map((name) => ({ ...envelope(to, name, recipientDeviceKey), isRemembered })),
      ...rest,
    });
  }
}

/** Limits of a queue that are never reached. */
export const ROOMY = { queueEnvelopes: 10_000, queueBytes: 1e9, shares: { sender: 1, network: 1 } };
/** Size of the ciphertext of each envelope here. */
export const ENVELOPE_BYTES = 64;

export function envelopeId(to: StoreMember, name: string): string {
  return text(`envelope ${to.name} ${name}`, 32);
}

function envelope(to: StoreMember, name: string, recipientDeviceKey: string | null): EnvelopeToAccept {
  return {
    id: envelopeId(to, name),
    to: to.address,
    recipientDeviceKey,
    asRequest: false,
    isRemembered: true,
    ephemeralPublicKey: Buffer.from(text(name, 32), 'base64url'),
    nonce: Buffer.from(text(name, 12), 'base64url'),
    ciphertext: Buffer.from(name.padEnd(ENVELOPE_BYTES)),
  };
}

/** A member with an account and a phone. */
export async function newMember(store: Store, name = unique()): Promise<StoreMember> {
  const member = await new StoreMember(store, name).join();
  await member.publish();
  return member;
}
