/**
 * One person with a wallet and a device at a relay: login, devices, writing and reading.
 */
import { randomBytes, sign } from 'node:crypto';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { addressBytes, base64url, concat, fromBase64url, u64Milliseconds, utf8 } from './bytes.ts';
import {
  Calls,
  type Challenge,
  type History,
  type Inbox,
  type InboxEnvelope,
  type Keys,
  type Session,
} from './calls.ts';
import {
  createDevice,
  type Device,
  type DeviceList,
  referenceTo,
  signDeviceList,
  signSealKey,
} from './device.ts';
import { evidenceAfter } from './hello.ts';
import { hybridKeys } from './hybrid.ts';
import { type Body, encodePayload } from './payload.ts';
import { type OpenedMessage, Reader } from './reader.ts';
import { type Envelope, generateSealKeyPair, seal } from './sealing.ts';
import { type Between, Remembered } from './trust.ts';

export class Account {
  readonly relay: string;
  /** Of the wallet, so that the app can be given the same one. */
  readonly privateKey = generatePrivateKey();
  readonly wallet = privateKeyToAccount(this.privateKey);
  readonly address = this.wallet.address.toLowerCase();
  readonly device: Device;
  list: DeviceList | null = null;
  /** All own lists, oldest first. */
  readonly lists: DeviceList[] = [];
  readonly reader: Reader;
  /** The calls of the present session. */
  session: Calls;
  #messagesWritten = 0;
  #sealKeySequence = 1;
  readonly #remembered = new Map<string, Remembered>();

  private constructor(relay: string, device: Device) {
    this.relay = relay;
    this.device = device;
    this.session = new Calls(relay, null);
    this.reader = new Reader(this);
  }

  /** A new wallet that has signed in and certified one device. */
  static async signUp(relay: string, unsigned: DeviceList['unsigned'] = []): Promise<Account> {
    return Account.#begin(relay, unsigned, await createDevice('app'));
  }

  /** The same, with a device that has no ML-KEM key: others seal to it in suite 0x01. */
  static async bare(relay: string, unsigned: DeviceList['unsigned'] = []): Promise<Account> {
    return Account.#begin(relay, unsigned, await createDevice('app', false));
  }

  static async #begin(relay: string, unsigned: DeviceList['unsigned'], device: Device): Promise<Account> {
    const account = new Account(relay, device);
    await account.login();
    await account.certify(unsigned);
    return account;
  }

  /** Signs in with the wallet, EIP-4361. */
  async login(): Promise<Session> {
    const anonymous = new Calls(this.relay, null);
    const body = { address: this.address };
    const challenge = await anonymous.expect<Challenge>(200, 'POST', '/auth/challenge', body);
    const { nonce } = challenge;
    const signature = await this.wallet.signMessage({ message: this.loginText(challenge) });
    return this.#open({ address: this.address, nonce, signature });
  }

  /** The text to sign in with. @throws Error when the challenge names another relay */
  loginText(challenge: Challenge): string {
    const { host } = new URL(this.relay);
    if (challenge.domain !== host || new URL(challenge.uri).host !== host) {
      throw new Error('the challenge is for another relay');
    }
    return [
      `${host} wants you to sign in with your Ethereum account:`,
      getAddress(this.address),
      '',
      challenge.statement,
      '',
      `URI: ${challenge.uri}`,
      `Version: ${challenge.version}`,
      `Chain ID: ${challenge.chainId}`,
      `Nonce: ${challenge.nonce}`,
      `Issued At: ${challenge.issuedAt}`,
      `Expiration Time: ${challenge.expirationTime}`,
    ].join('\n');
  }

  /** A new session by the device's signature, without the wallet. */
  renew(): Promise<Session> {
    return this.#open(this.renewal());
  }

  /** The same by the signature of another device of this wallet. */
  renewAs(device: Device): Promise<Session> {
    return this.#open(this.renewal(new Date().toISOString(), device));
  }

  /** The body that asks for a new session. */
  renewal(issuedAt = new Date().toISOString(), device = this.device): Record<string, string> {
    const { deviceId } = device.listed;
    const signed = concat(
      utf8('waxwing/session/v1'),
      addressBytes(this.address),
      fromBase64url(deviceId),
      u64Milliseconds(issuedAt),
      utf8(new URL(this.relay).host),
    );
    const signature = base64url(sign(null, signed, device.signingKey));
    return { address: this.address, deviceId, issuedAt, signature };
  }

  async #open(body: Record<string, string>): Promise<Session> {
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
    return signDeviceList(this.wallet, this.list, content);
  }

  /** Publishes the next device list, and the first seal key of each device that is new in it. */
  async certify(
    unsigned: DeviceList['unsigned'],
    devices = [this.device],
    issued = new Date().toISOString(),
  ): Promise<Keys> {
    const deviceList = await this.nextList(unsigned, devices, issued);
    const known = new Set(this.list?.devices.map(({ deviceId }) => deviceId));
    const added = devices.filter(({ listed }) => !known.has(listed.deviceId));
    const sealKeys = added.map((device) => signSealKey(this.address, device, 1, deviceList.sequence));
    const pqKeys = added.flatMap(({ postQuantum, sealKeys: { pqKey } }) => (postQuantum ? [pqKey] : []));
    const body = { deviceList, sealKeys, pqKeys };
    const keys = await this.session.expect<Keys>(200, 'PUT', '/me/devices', body);
    this.list = deviceList;
    this.lists.push(deviceList);
    return keys;
  }

  /** Replaces this device's seal key; the old private key is forgotten, so a number is passed over: nothing more comes for it. */
  async rotateSealKey(): Promise<Keys> {
    this.device.sealKeys = await generateSealKeyPair();
    return this.#publishSealKey(2);
  }

  /** Replaces this device's seal key by the next one; copies for the one before may still come, and are opened. */
  async renewSealKey(now = Date.now()): Promise<Keys> {
    this.device.earlierSealKeys.unshift(this.device.sealKeys);
    this.device.sealKeys = await generateSealKeyPair();
    return this.#publishSealKey(1, now);
  }

  #publishSealKey(step: number, now = Date.now()): Promise<Keys> {
    this.#sealKeySequence += step;
    const { device, list } = this;
    const sealKey = signSealKey(this.address, device, this.#sealKeySequence, list?.sequence ?? 1, now);
    const path = `/me/devices/${device.listed.deviceId}/seal-key`;
    const { pqKey } = device.sealKeys;
    const body = { sealKey, ...(device.postQuantum && { pqKey }) };
    return this.session.expect<Keys>(200, 'PUT', path, body);
  }

  /** What this account remembers of an address. */
  remembered(address: string): Remembered {
    const known = this.#remembered.get(address);
    if (known) return known;
    const fresh = new Remembered(address);
    this.#remembered.set(address, fresh);
    return fresh;
  }

  /**
   * Asks for the keys of an address and judges its list and its seal keys.
   * @throws Error when the list does not prove itself, or cannot be followed
   */
  async askFor(address: string, calls = this.session): Promise<Keys> {
    const remembered = this.remembered(address);
    const { status, body: keys } = await calls.send<Keys>('GET', `/keys/${address}`);
    if (status === 404) remembered.showNothing();
    if (status !== 200) throw new Error(`GET /keys/${address}: ${status}`);
    if (keys.address !== address) throw new Error('these are the keys of another address');
    const verdict = await remembered.show(keys.deviceList, this.historyOf(address, calls));
    if (verdict === 'nothing') throw new Error('a list between is missing or does not fit');
    if (!remembered.shown) return keys;
    const proven = remembered.judgeSealKeys(keys.sealKeys);
    if (keys.deviceKeys.join() !== keys.sealKeys.map(({ key }) => key).join()) {
      throw new Error('deviceKeys are not the certified seal keys');
    }
    return { ...keys, sealKeys: proven, deviceKeys: proven.map(({ key }) => key) };
  }

  /** The keys of an address to seal to. @throws Error with the reason when nothing may be sealed to it */
  async keysOf(address: string, calls = this.session): Promise<Keys> {
    const keys = await this.askFor(address, calls);
    const { waitingFor } = this.remembered(address);
    if (waitingFor) throw new Error(`nothing is sealed to ${address}: ${waitingFor}`);
    return keys;
  }

  /** Reads the lists of an address between two numbers, page by page. */
  historyOf(address: string, calls = this.session): Between {
    return async (after, below) => {
      const lists: DeviceList[] = [];
      for (let page = 0, more = true; more && page < 20; page += 1) {
        const last = lists.at(-1)?.sequence ?? after;
        const path = `/keys/${address}/history?after=${last}`;
        const history = await calls.expect<History>(200, 'GET', path);
        if (history.address !== address) throw new Error('this is the history of another address');
        lists.push(...history.lists);
        more = history.more && history.lists.length > 0 && Number(history.lists.at(-1)?.sequence) < below - 1;
      }
      return lists.filter(({ sequence }) => sequence < below);
    };
  }

  /** What a signed body says of this account's own device list. */
  listNamed(): Pick<Body, 'list'> {
    return this.list ? { list: referenceTo(this.address, this.list) } : {};
  }

  /** The body of a text message to someone. */
  text(peer: string, text: string): Body {
    this.#messagesWritten += 1;
    return {
      id: base64url(randomBytes(16)),
      sender: this.address,
      sentAt: new Date().toISOString(),
      seq: this.#messagesWritten,
      kind: 'text',
      peer,
      text,
      ...this.listNamed(),
    };
  }

  /** The body of a `hello`, with the own lists after one as evidence; the one before the newest unless told. */
  hello(peer: string, known = (this.list?.sequence ?? 1) - 1): Body {
    const { text: _, ...body } = this.text(peer, '');
    return { ...body, seq: 0, kind: 'hello', lists: evidenceAfter(known, this.lists) };
  }

  /** One copy of a message for each device of its peer, signed by this device unless told otherwise. */
  async sealFor(
    keys: Keys,
    body: Body,
    options: {
      asRequest?: boolean;
      signed?: boolean;
      device?: Device;
      senderListSequence?: number;
      recipientListSequence?: number;
    } = {},
  ): Promise<Envelope[]> {
    const payload = encodePayload(body, options.signed === false ? null : (options.device ?? this.device));
    const header = {
      asRequest: options.asRequest ?? false,
      senderListSequence: options.senderListSequence ?? this.list?.sequence ?? 0,
      recipientListSequence: options.recipientListSequence ?? keys.deviceList.sequence,
    };
    const { address: toAddress, deviceKeys } = keys;
    const hybrid = await hybridKeys(this.session, keys.sealKeys);
    const copy = (recipientDeviceKey: string) =>
      seal(
        payload,
        { from: this.address, toAddress, recipientDeviceKey, ...hybrid(recipientDeviceKey) },
        header,
      );
    return Promise.all(deviceKeys.map(copy));
  }

  /** What waits for this device; `wait` in seconds holds the call until something comes. */
  poll(wait = 0, calls = this.session): Promise<Inbox> {
    return calls.expect<Inbox>(
      200,
      'GET',
      `/inbox?device=${this.device.listed.deviceId}&limit=100&wait=${wait}`,
    );
  }

  /** Reads an envelope as the protocol says. @throws Error with the reason when it is set aside */
  read(envelope: InboxEnvelope, calls = this.session): Promise<OpenedMessage> {
    return this.reader.read(envelope, calls);
  }

  /** Takes envelopes out of this device's queue. */
  acknowledge(ids: string[], calls = this.session): Promise<{ acknowledged: number }> {
    return calls.expect(200, 'POST', '/inbox/ack', { device: this.device.listed.deviceId, ids });
  }

  /** What waits for this device, taken out of its queue. */
  async take(): Promise<InboxEnvelope[]> {
    const { envelopes } = await this.poll();
    if (envelopes.length > 0) await this.acknowledge(envelopes.map(({ id }) => id));
    return envelopes;
  }
}
