import { randomBytes } from 'node:crypto';
import { toHex } from '../bytes.ts';
import { type Content, contentOf } from '../contents.ts';
import { type DeviceList, nameOfList, signList } from '../device-list.ts';
import { judgeShown, lookUp, readShownDevices } from '../directory.ts';
import { msOf } from '../forms.ts';
import type { Actor } from '../group-acts.ts';
import { refreshChain } from '../group-reading.ts';
import { helloOfLists } from '../hello.ts';
import { type Judge, judgeEnvelope } from '../judging.ts';
import { type Known, seeNothing } from '../known.ts';
import { challengeText, deviceLogin, readChallenge, walletLogin } from '../login.ts';
import { Memory } from '../memory.ts';
import type { InboxEnvelope } from '../opening.ts';
import { introspect, type OwnDevice } from '../own-account.ts';
import { type Body, encodePayload, newId } from '../payload.ts';
import { must, Refusal } from '../refusal.ts';
import { Relay } from '../relay.ts';
import { clocksAgree } from '../replay.ts';
import type { Proof } from '../rights.ts';
import type { Envelope, Header } from '../seal.ts';
import { checksumAddress, type Wallet, walletOf } from '../wallet.ts';
import { Calls, type Challenge, type Inbox, type Keys, type Session } from './calls.ts';
import { sealEach } from './copies.ts';
import { createDevice, type Device, newSealPair, statementOf } from './device.ts';

/** A body with the fields that tests check. Only its kind shows that they are valid. */
export interface SomeBody extends Body {
  readonly text?: string;
  readonly fallback?: string;
  readonly lists?: DeviceList[];
  readonly group?: string;
  readonly name?: string;
}

/** An opened and valid message. */
export interface OpenedMessage {
  envelope: InboxEnvelope;
  header: Header;
  body: SomeBody;
  signed: boolean;
  proof: Proof;
  /** Its kind, `newer` for a fallback, `unknown` for one that is never shown. */
  as: string;
}

export interface HowToSeal {
  asRequest?: boolean;
  signed?: boolean;
  device?: Device;
  senderListSequence?: number;
  recipientListSequence?: number;
}

const asOf = (content: Content): string => ('kind' in content ? content.kind : content.is);

/**
 * One person with a wallet and a device at a relay. A test calls each step, so that it can omit or repeat one, or use
 * a wrong value. The client's code computes the steps.
 */
export class Account {
  readonly relay: string;
  /** Private key of the wallet, so that the app can use the same wallet. */
  readonly privateKey: `0x${string}`;
  readonly wallet: Wallet;
  readonly device: Device;
  readonly memory = new Memory();
  list: DeviceList | null = null;
  /** All own lists, oldest first. */
  readonly lists: DeviceList[] = [];
  /** The calls of the current session. */
  session: Calls;
  #sealKeySequence = 1;

  private constructor(relay: string, device: Device) {
    const key = new Uint8Array(randomBytes(32));
    this.relay = relay;
    this.privateKey = `0x${toHex(key)}`;
    this.wallet = walletOf(key);
    this.device = device;
    this.session = new Calls(relay, null);
  }

  /** A new wallet that has signed in and certified one device. */
  static async signUp(relay: string, unsigned: DeviceList['unsigned'] = []): Promise<Account> {
    return Account.#begin(relay, unsigned, await createDevice('app'));
  }

  /** The same, with a device without an ML-KEM key: others seal to it in suite 0x01. */
  static async bare(relay: string, unsigned: DeviceList['unsigned'] = []): Promise<Account> {
    return Account.#begin(relay, unsigned, await createDevice('app', false));
  }

  static async #begin(relay: string, unsigned: DeviceList['unsigned'], device: Device): Promise<Account> {
    const account = new Account(relay, device);
    await account.login();
    await account.certify(unsigned);
    return account;
  }

  /** The address as on the wire. */
  get address(): string {
    return this.wallet.address;
  }

  /** The address as on screen, in mixed case. */
  get shownAddress(): string {
    return checksumAddress(this.address);
  }

  /** The relay with the credential of some calls. */
  #under(calls: Calls): Relay {
    return new Relay(calls.relay, calls.token);
  }

  /** This account's device, in the client's form. */
  get own(): OwnDevice {
    const { sealKeys, earlierSealKeys, key } = this.device;
    const secrets = [...earlierSealKeys.toReversed(), sealKeys].map(({ secret }) => secret);
    must(this.list !== null, 'no_list');
    const statement = statementOf(this.address, this.device, this.#sealKeySequence, this.list.sequence);
    return { address: this.address, key, list: this.list, statement, secrets };
  }

  /** The acting device in groups. */
  actor(calls = this.session): Actor {
    return { relay: this.#under(calls), memory: this.memory, device: this.own, now: Date.now };
  }

  /** Signs in with the wallet. */
  async login(): Promise<Session> {
    const anonymous = new Calls(this.relay, null);
    const body = { address: this.address };
    const challenge = await anonymous.expect<Challenge>(200, 'POST', '/auth/challenge', body);
    return this.#open(await walletLogin(this.wallet, readChallenge(challenge, new URL(this.relay))));
  }

  /** The text to sign in with. @throws Refusal when the challenge names another relay */
  loginText(challenge: Challenge): string {
    return challengeText(this.address, readChallenge(challenge, new URL(this.relay)));
  }

  /** A new session by the device's signature, without the wallet. */
  renew(): Promise<Session> {
    return this.#open(this.renewal());
  }

  /** The same by the signature of another device of this wallet. */
  renewAs(device: Device): Promise<Session> {
    return this.#open(this.renewal(Date.now(), device));
  }

  /** The body that asks for a new session. */
  renewal(issuedAt = Date.now(), device = this.device) {
    return deviceLogin(this.address, device.key, issuedAt, new URL(this.relay).host);
  }

  async #open(body: object): Promise<Session> {
    const session = await new Calls(this.relay, null).expect<Session>(201, 'POST', '/auth/session', body);
    this.session = new Calls(this.relay, session.token);
    return session;
  }

  /** The list that follows the newest one, signed and not published. */
  nextList(
    unsigned: DeviceList['unsigned'],
    devices = [this.device],
    issued = new Date().toISOString(),
  ): Promise<DeviceList> {
    const content = { unsigned, devices: devices.map(({ listed }) => listed), issued };
    return signList(this.wallet, this.list, content);
  }

  /** Publishes the next device list, and the first seal key of each device that is new in it. */
  async certify(unsigned: DeviceList['unsigned'], devices = [this.device], issued?: string): Promise<Keys> {
    const deviceList = await this.nextList(unsigned, devices, issued);
    const known = new Set(this.list?.devices.map(({ deviceId }) => deviceId));
    const added = devices.filter(({ listed }) => !known.has(listed.deviceId));
    const sealKeys = added.map((device) => statementOf(this.address, device, 1, deviceList.sequence));
    const pqKeys = added.flatMap(({ postQuantum, sealKeys: { pqKey } }) => (postQuantum ? [pqKey] : []));
    const body = { deviceList, sealKeys, pqKeys };
    const keys = await this.session.expect<Keys>(200, 'PUT', '/me/devices', body);
    this.list = deviceList;
    this.lists.push(deviceList);
    return keys;
  }

  /**
   * Replaces this device's seal key. The old private key is deleted, so one number is skipped: no copy
   * arrives for it.
   */
  async rotateSealKey(): Promise<Keys> {
    this.device.sealKeys = await newSealPair();
    return this.#publishSealKey(2);
  }

  /**
   * Replaces this device's seal key by the next one. Copies for the previous one may still arrive, and are
   * opened.
   */
  async renewSealKey(now = Date.now()): Promise<Keys> {
    this.device.earlierSealKeys.unshift(this.device.sealKeys);
    this.device.sealKeys = await newSealPair();
    return this.#publishSealKey(1, now);
  }

  #publishSealKey(step: number, now = Date.now()): Promise<Keys> {
    this.#sealKeySequence += step;
    const { device, list } = this;
    const sealKey = statementOf(this.address, device, this.#sealKeySequence, list?.sequence ?? 1, now);
    const path = `/me/devices/${device.listed.deviceId}/seal-key`;
    const { pqKey } = device.sealKeys;
    const body = { sealKey, ...(device.postQuantum && { pqKey }) };
    return this.session.expect<Keys>(200, 'PUT', path, body);
  }

  /** The stored state of an address. */
  remembered(address: string): Known {
    return this.memory.of(address);
  }

  /** The keys of an address to seal to. @throws Error with the reason when nothing may be sealed to it */
  async keysOf(address: string, calls = this.session): Promise<Keys> {
    const { status, body: keys } = await calls.send<Keys>('GET', `/keys/${address}`);
    if (status === 404) seeNothing(this.remembered(address));
    if (status !== 200) throw new Error(`GET /keys/${address}: ${status}`);
    must(keys.address === address, 'another_address');
    const shown = readShownDevices(keys);
    const certified = shown.sealKeys.map(({ key }) => key).join();
    must(
      keys.deviceKeys.join() === certified,
      'uncertified_keys',
      'deviceKeys are not the certified seal keys',
    );
    const target = await judgeShown(this.#under(calls), this.memory, address, shown, Date.now());
    if (target.blocked !== null) throw new Error(`nothing is sealed to ${address}: ${target.blocked}`);
    const sealKeys = target.keys;
    return { ...keys, sealKeys, deviceKeys: sealKeys.map(({ key }) => key) };
  }

  /** The body of a text message to someone. */
  text(peer: string, text: string): SomeBody {
    return {
      id: newId(),
      sender: this.address,
      sentAt: new Date().toISOString(),
      seq: this.memory.nextNumber(peer),
      kind: 'text',
      peer,
      text,
      ...this.listNamed(),
    };
  }

  /** Fields of a signed body about this account's own device list. */
  listNamed(): Pick<Body, 'list'> {
    return this.list === null ? {} : { list: nameOfList(this.address, this.list) };
  }

  /** The body of a `hello`, with the own lists after one as evidence; by default the one before the newest. */
  hello(peer: string, known = (this.list?.sequence ?? 1) - 1): SomeBody {
    const { text: _, ...body } = this.text(peer, '');
    return {
      ...body,
      seq: 0,
      ...(helloOfLists(this.lists, known) as { kind: 'hello'; lists: DeviceList[] }),
    };
  }

  /** One copy of a message for each device of its peer, signed by this device by default. */
  async sealFor(keys: Keys, body: Body, options: HowToSeal = {}): Promise<Envelope[]> {
    const signer = options.signed === false ? null : (options.device ?? this.device).key;
    const payload = encodePayload('direct', body, signer && { by: 'device', key: signer });
    return this.sealPayload(keys, payload, options);
  }

  /** The same of a payload of any bytes. */
  async sealPayload(keys: Keys, payload: Uint8Array, options: HowToSeal = {}): Promise<Envelope[]> {
    const header = {
      asRequest: options.asRequest ?? false,
      automated: false,
      senderListSequence: options.senderListSequence ?? this.list?.sequence ?? 0,
      recipientListSequence: options.recipientListSequence ?? keys.deviceList.sequence,
    };
    const statements = keys.sealKeys.filter(({ key }) => keys.deviceKeys.includes(key));
    const route = { from: this.address, to: keys.address };
    return sealEach(this.#under(this.session), this.memory, route, statements, header, payload);
  }

  /** Queued envelopes of this device. Long polling for `wait` seconds. */
  poll(wait = 0, calls = this.session): Promise<Inbox> {
    const query = `device=${this.device.listed.deviceId}&limit=100&wait=${wait}`;
    return calls.expect<Inbox>(200, 'GET', `/inbox?${query}`);
  }

  /** Stores the longest retention that the relay has reported. @throws Refusal if the clocks disagree */
  async readRetention(calls = this.session): Promise<void> {
    const relay = this.#under(calls);
    const { retentionSeconds } = await introspect(relay, this.address);
    this.memory.setRetention(retentionSeconds);
    must(clocksAgree(0, relay.clockAhead ?? 0), 'clocks_disagree');
  }

  /** Judges an envelope by the protocol. @throws Refusal with the reason when it is set aside, or deferred */
  async read(envelope: InboxEnvelope, calls = this.session): Promise<OpenedMessage> {
    const relay = this.#under(calls);
    const { memory, own: device } = this;
    const now = Date.now();
    const judge: Judge = {
      device,
      memory,
      fetch: {
        keys: async (address) => void (await lookUp(relay, memory, address, now)),
        group: (id) => refreshChain(relay, memory, id, now),
      },
      now,
    };
    const judged = await judgeEnvelope(judge, envelope, msOf(envelope.receivedAt));
    if (judged.is === 'set_aside') throw new Refusal(judged.reason);
    if (judged.is === 'held') throw new Refusal('held');
    const { header, payload, proof } = judged;
    const body = payload.body as SomeBody;
    const as = asOf(contentOf(payload.channel, body));
    return { envelope, header, body, signed: proof === 'signed', proof, as };
  }

  /** Removes envelopes from this device's queue. */
  acknowledge(ids: string[], calls = this.session): Promise<{ acknowledged: number }> {
    return calls.expect(200, 'POST', '/inbox/ack', { device: this.device.listed.deviceId, ids });
  }

  /** Queued envelopes of this device, removed from the queue. */
  async receive(): Promise<InboxEnvelope[]> {
    const { envelopes } = await this.poll();
    if (envelopes.length > 0) await this.acknowledge(envelopes.map(({ id }) => id));
    return envelopes;
  }
}
