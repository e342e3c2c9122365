/**
 * One person with a wallet and a device at a relay: login, devices, writing and reading.
 */
import { randomBytes, sign } from 'node:crypto';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { addressBytes, base64url, concat, fromBase64url, u64Milliseconds, utf8 } from './bytes.ts';
import { Calls, type Challenge, type Inbox, type InboxEnvelope, type Keys, type Session } from './calls.ts';
import {
  createDevice,
  type Device,
  type DeviceList,
  isSealKeyGood,
  referenceTo,
  signDeviceList,
  signSealKey,
  verifyDeviceList,
} from './device.ts';
import { type Body, decodePayload, encodePayload, verifyPayload } from './payload.ts';
import { type Envelope, generateSealKeyPair, open, seal } from './sealing.ts';

/** A message that was opened, and proven if `signed`. */
export interface OpenedMessage {
  envelope: InboxEnvelope;
  body: Body;
  signed: boolean;
}

export class Account {
  readonly relay: string;
  /** Of the wallet, so that the app can be given the same one. */
  readonly privateKey = generatePrivateKey();
  readonly wallet = privateKeyToAccount(this.privateKey);
  readonly address = this.wallet.address.toLowerCase();
  readonly device: Device;
  list: DeviceList | null = null;
  /** The calls of the present session. */
  session: Calls;
  #messagesWritten = 0;
  #sealKeySequence = 1;
  #pinned = new Map<string, number>();

  private constructor(relay: string, device: Device) {
    this.relay = relay;
    this.device = device;
    this.session = new Calls(relay, null);
  }

  /** A new wallet that has signed in and certified one device. */
  static async signUp(relay: string, unsigned: DeviceList['unsigned'] = []): Promise<Account> {
    const account = new Account(relay, await createDevice('app'));
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
    return this.#begin({ address: this.address, nonce, signature });
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
    return this.#begin(this.renewal());
  }

  /** The body that asks for a new session. */
  renewal(issuedAt = new Date().toISOString()): Record<string, string> {
    const { deviceId } = this.device.listed;
    const signed = concat(
      utf8('waxwing/session/v1'),
      addressBytes(this.address),
      fromBase64url(deviceId),
      u64Milliseconds(issuedAt),
      utf8(new URL(this.relay).host),
    );
    const signature = base64url(sign(null, signed, this.device.signingKey));
    return { address: this.address, deviceId, issuedAt, signature };
  }

  async #begin(body: Record<string, string>): Promise<Session> {
    const session = await new Calls(this.relay, null).expect<Session>(201, 'POST', '/auth/session', body);
    this.session = new Calls(this.relay, session.token);
    return session;
  }

  /** Publishes the next device list, and the first seal key of each device that is new in it. */
  async certify(unsigned: DeviceList['unsigned'], devices = [this.device]): Promise<Keys> {
    const content = { unsigned, devices: devices.map(({ listed }) => listed) };
    const deviceList = await signDeviceList(this.wallet, this.list, content);
    const known = new Set(this.list?.devices.map(({ deviceId }) => deviceId));
    const added = devices.filter(({ listed }) => !known.has(listed.deviceId));
    const sealKeys = added.map((device) => signSealKey(this.address, device, 1, deviceList.sequence));
    const keys = await this.session.expect<Keys>(200, 'PUT', '/me/devices', { deviceList, sealKeys });
    this.list = deviceList;
    return keys;
  }

  /** Replaces this device's seal key; the old private key is forgotten, so a number is passed over: nothing more comes for it. */
  async rotateSealKey(): Promise<Keys> {
    this.#sealKeySequence += 2;
    this.device.sealKeys = await generateSealKeyPair();
    const sealKey = signSealKey(this.address, this.device, this.#sealKeySequence, this.list?.sequence ?? 1);
    const path = `/me/devices/${this.device.listed.deviceId}/seal-key`;
    return this.session.expect<Keys>(200, 'PUT', path, { sealKey });
  }

  /** Fetches and proves the keys of an address. @throws Error when the wallet does not vouch for them */
  async keysOf(address: string, calls = this.session): Promise<Keys> {
    const keys = await calls.expect<Keys>(200, 'GET', `/keys/${address}`);
    if (keys.address !== address) throw new Error('these are the keys of another address');
    await verifyDeviceList(address, keys.deviceList);
    const pinned = this.#pinned.get(address) ?? 0;
    if (keys.deviceList.sequence < pinned) throw new Error('the relay went back to an older device list');
    this.#pinned.set(address, keys.deviceList.sequence);
    if (!keys.sealKeys.every((sealKey) => isSealKeyGood(address, keys.deviceList, sealKey))) {
      throw new Error('no device vouches for one of these keys');
    }
    if (keys.deviceKeys.join() !== keys.sealKeys.map(({ key }) => key).join()) {
      throw new Error('deviceKeys are not the certified seal keys');
    }
    return keys;
  }

  /** What a signed body says of this account's own device list. */
  listNamed(): Pick<Body, 'list'> {
    return this.list ? { list: referenceTo(this.address, this.list) } : {};
  }

  /** The body of a text message to somebody. */
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

  /** One copy of a message for each device of its peer, signed unless told otherwise. */
  async sealFor(
    keys: Keys,
    body: Body,
    options: { asRequest?: boolean; signed?: boolean } = {},
  ): Promise<Envelope[]> {
    const payload = encodePayload(body, options.signed === false ? null : this.device);
    const header = {
      asRequest: options.asRequest ?? false,
      senderListSequence: this.list?.sequence ?? 0,
      recipientListSequence: keys.deviceList.sequence,
    };
    const { address: toAddress, deviceKeys } = keys;
    const copy = (recipientDeviceKey: string) =>
      seal(payload, { from: this.address, toAddress, recipientDeviceKey }, header);
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

  /**
   * Opens an envelope; proves sender, peer and device when it is signed. The peer of what another own device sent is
   * the partner.
   * @throws Error when that fails
   */
  async read(envelope: InboxEnvelope, calls = this.session): Promise<OpenedMessage> {
    const { payload } = await open(envelope, this.device.sealKeys.privateKey);
    const parts = decodePayload(payload);
    if (parts.body.sender !== envelope.from) throw new Error('the body names another sender');
    if (parts.body.groupId !== envelope.groupId) throw new Error('the body is for another group, or none');
    const isForMe = parts.body.peer === this.address || envelope.from === this.address;
    if (envelope.groupId === undefined && !isForMe) throw new Error('the body is for somebody else');
    if (parts.signed) verifyPayload(parts, (await this.keysOf(envelope.from, calls)).deviceList);
    return { envelope, body: parts.body, signed: parts.signed !== null };
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
