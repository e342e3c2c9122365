/**
 * A person at a relay: a wallet, a device with its keys, and real sealing. Everything is made by src/protocol.
 */

import { toChecksumAddress } from '../../src/protocol/address.ts';
import { ApiKeyEntitlement } from '../../src/protocol/credentials.ts';
import {
  importEd25519,
  importX25519,
  type PrivateKey,
  randomBytes,
  signEd25519,
} from '../../src/protocol/crypto.ts';
import { deviceIdOf } from '../../src/protocol/device-id.ts';
import {
  type DeviceList,
  deviceListHash,
  listReferenceOf,
  signDeviceList,
} from '../../src/protocol/device-list.ts';
import { decodeBase64Url, encodeBase64Url, encodeTime, encodeUtf8 } from '../../src/protocol/encoding.ts';
import { type OpeningKey, openCopy, sealCopy } from '../../src/protocol/envelope.ts';
import type { Signer } from '../../src/protocol/payload.ts';
import type { Envelope } from '../../src/protocol/schemas/envelopes.ts';
import type { InboxEnvelope } from '../../src/protocol/schemas/inbox.ts';
import { pqDigest, type SealKey, signSealKey } from '../../src/protocol/seal-key.ts';
import { sessionRenewalBytes } from '../../src/protocol/session-renewal.ts';
import { formatSiwe } from '../../src/protocol/siwe.ts';
import { signText, type Wallet, walletFromKey } from '../../src/protocol/wallet.ts';
import { type HybridPrivateKey, hybridPublicKey, importHybrid } from '../../src/protocol/x-wing.ts';
import type { TestRelay } from './relay.ts';

const DAY = 24 * 3_600_000;

/**
 * One device: its signing key, and the newest of its seal keys. By default without ML-KEM, like a plain
 * program.
 */
export class TestDevice {
  readonly signing: PrivateKey = importEd25519(randomBytes(32));
  readonly id: string = encodeBase64Url(deviceIdOf(this.signing.publicKey));
  readonly #isHybrid: boolean;
  sealing!: PrivateKey;
  /** Both halves of its seal key; null if it has the X25519 half alone. */
  hybrid!: HybridPrivateKey | null;
  sequence = 1;

  constructor(kind: 'classic' | 'hybrid' = 'classic') {
    this.#isHybrid = kind === 'hybrid';
    this.#makeSealKey(0);
  }

  /** The ML-KEM key in its newest statement. */
  get pq(): string | null {
    return this.hybrid && pqDigest(this.hybrid.mlKem.publicKey);
  }

  /** Its ML-KEM key in base64url. */
  get pqKey(): string {
    if (!this.hybrid) throw new Error('this device has no ML-KEM');
    return encodeBase64Url(this.hybrid.mlKem.publicKey);
  }

  get sealKeyText(): string {
    return encodeBase64Url(this.sealing.publicKey);
  }

  /**
   * Creates another seal key. The previous one is deleted, so a number is skipped: the relay accepts no more
   * copies for it.
   */
  rotate(): void {
    this.#makeSealKey(2);
  }

  /**
   * Creates the next seal key. Envelopes sealed to the previous one still arrive for a while. @returns the previous
   * key
   */
  rotateInTurn(): PrivateKey {
    const before = this.sealing;
    this.#makeSealKey(1);
    return before;
  }

  #makeSealKey(step: number): void {
    this.hybrid = this.#isHybrid ? importHybrid(randomBytes(32)) : null;
    this.sealing = this.hybrid?.x25519 ?? importX25519(randomBytes(32));
    this.sequence += step;
  }

  /** The statement about its seal key. */
  statement(address: string, now: number, life = 30 * DAY, listSequence = 1): SealKey {
    const times = { notBefore: now, notAfter: now + life };
    const numbers = { sequence: this.sequence, listSequence };
    const key = this.hybrid ? hybridPublicKey(this.hybrid) : this.sealing.publicKey;
    return signSealKey(address, this.signing, key, numbers, times);
  }
}

export class Person {
  readonly wallet: Wallet = walletFromKey(randomBytes(32));
  readonly relay: TestRelay;
  readonly device: TestDevice;
  /** The published device list. */
  list: DeviceList | null = null;
  token = '';

  constructor(relay: TestRelay, device = new TestDevice()) {
    this.relay = relay;
    this.device = device;
  }

  get address(): string {
    return this.wallet.address;
  }

  /** The body of a login: a requested and signed challenge. */
  async signedChallenge(): Promise<{ address: string; nonce: string; signature: string }> {
    const { body: challenge } = await this.relay.call('createChallenge', { body: { address: this.address } });
    const text = formatSiwe({ ...challenge, address: toChecksumAddress(this.address) });
    return { address: this.address, nonce: challenge.nonce, signature: signText(this.wallet, text) };
  }

  /** Opens a session with the wallet. @param invitation a code for an account, where the relay wants one */
  async login(invitation?: string): Promise<this> {
    const signed = await this.signedChallenge();
    const { body } = await this.relay.call('createSession', {
      body: invitation === undefined ? signed : { ...signed, invitation },
    });
    this.token = body.token;
    return this;
  }

  /** Opens a session with the wallet, and reopens the deleted account. */
  async reopen(): Promise<this> {
    const body = { ...(await this.signedChallenge()), reopen: true };
    this.token = (await this.relay.call('createSession', { body })).body.token;
    return this;
  }

  /** The body of a renewal. */
  renewal(issuedAt = encodeTime(this.relay.now()), domain = this.relay.domain, device = this.device) {
    const bytes = sessionRenewalBytes(this.address, device.id, issuedAt, domain);
    const signature = encodeBase64Url(signEd25519(device.signing, bytes));
    return { address: this.address, deviceId: device.id, issuedAt, signature };
  }

  /** Opens a session with the device. */
  async renew(): Promise<this> {
    this.token = (await this.relay.call('createSession', { body: this.renewal() })).body.token;
    return this;
  }

  /** The signer of this person's device. Before there is a list, it names an unknown one with number 1. */
  get signer(): Signer {
    const list = this.list
      ? listReferenceOf(this.address, this.list)
      : { sequence: 1, hash: encodeBase64Url(new Uint8Array(32)) };
    return { deviceKey: this.device.signing, list };
  }

  /** The list after the published one, signed. */
  nextList(devices: TestDevice[], changes: Partial<DeviceList> = {}): DeviceList {
    return signDeviceList(this.wallet, {
      sequence: (this.list?.sequence ?? 0) + 1,
      previous: this.list ? deviceListHash(this.address, this.list) : null,
      issued: encodeTime(this.relay.now()),
      unsigned: [],
      devices: devices.map((device) => ({
        deviceId: device.id,
        key: encodeBase64Url(device.signing.publicKey),
        type: 'app',
        validUntil: encodeTime(this.relay.now() + 365 * DAY),
      })),
      ...changes,
    });
  }

  /** The body of `PUT /me/devices` for these devices. */
  devicesBody(
    devices: TestDevice[],
    changes: Partial<DeviceList> = {},
  ): { deviceList: DeviceList; sealKeys: SealKey[]; pqKeys: string[] } {
    const sealKeys = devices.map((device) => device.statement(this.address, this.relay.now()));
    const pqKeys = devices.flatMap((device) => (device.hybrid ? [device.pqKey] : []));
    return { deviceList: this.nextList(devices, changes), sealKeys, pqKeys };
  }

  /** @param changes of the list */
  async publishDevices(
    devices: TestDevice[] = [this.device],
    changes: Partial<DeviceList> = {},
  ): Promise<this> {
    const body = this.devicesBody(devices, changes);
    await this.relay.call('putDevices', { token: this.token, body });
    this.list = body.deviceList;
    return this;
  }

  /** Publishes the newest seal key of a device. */
  async publishSealKey(device = this.device): Promise<SealKey> {
    const sealKey = device.statement(this.address, this.relay.now());
    const params = { deviceId: device.id };
    const body = device.hybrid ? { sealKey, pqKey: device.pqKey } : { sealKey };
    await this.relay.call('putSealKey', { token: this.token, params, body });
    return sealKey;
  }

  /** Seals a text for someone's device. */
  seal(to: { address: string }, device: TestDevice, text: string, asRequest = false): Envelope {
    const header = { asRequest, automated: false, senderListSequence: 0, recipientListSequence: 0 };
    const route = { from: this.address, to: to.address };
    const key = device.hybrid ? hybridPublicKey(device.hybrid) : device.sealing.publicKey;
    const copy = sealCopy(route, key, header, encodeUtf8(text));
    return {
      toAddress: to.address,
      recipientDeviceKey: device.sealKeyText,
      ciphertext: encodeBase64Url(copy.ciphertext),
      ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
      nonce: encodeBase64Url(copy.nonce),
      asRequest,
    };
  }

  /** Opens a received envelope of this person's device. */
  open(envelope: InboxEnvelope, sealing?: OpeningKey): string {
    return new TextDecoder().decode(this.openBytes(envelope, sealing));
  }

  /** The payload of a received envelope of this person's device. */
  openBytes(
    envelope: InboxEnvelope,
    sealing: OpeningKey = this.device.hybrid ?? this.device.sealing,
  ): Uint8Array {
    const copy = {
      ciphertext: decodeBase64Url(envelope.ciphertext),
      ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
      nonce: decodeBase64Url(envelope.nonce),
    };
    const route = { from: envelope.from, to: envelope.toAddress };
    return openCopy(route, sealing, copy, envelope.asRequest ?? false).payload;
  }

  /** Waiting envelopes of a device. */
  async inbox(device = this.device, wait = 0): Promise<InboxEnvelope[]> {
    const query = { device: device.id, wait };
    return (await this.relay.call('getInbox', { token: this.token, query })).body.envelopes;
  }
}

/** A person who is logged in and has published a device. */
export async function newPerson(relay: TestRelay, device?: TestDevice): Promise<Person> {
  return (await new Person(relay, device).login()).publishDevices();
}

/** The secret of a new API key of a person, who unlocks access for it. */
export async function apiKeyOf(person: Person, body: object = {}): Promise<string> {
  const { relay, token } = person;
  await relay.call('putDeveloperAccess', { token, body: { enabled: true } });
  const { body: key } = await relay.call('createApiKey', {
    token,
    body: { name: 'script', entitlements: [...ApiKeyEntitlement.options], ...body },
  });
  return key.secret;
}
