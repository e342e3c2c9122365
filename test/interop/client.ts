/**
 * A client written from docs/protocol.md with other libraries than ours: viem for the wallet, @hpke/core for sealing,
 * WebCrypto for everything else, fetch for calls. It imports nothing of src/, so that where the two meet, the
 * document is right.
 */
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { bytesToHex, getAddress, type Hex, hexToBytes } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

const { subtle } = crypto;
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

type Bytes = Uint8Array<ArrayBuffer>;
type KeyPair = Awaited<ReturnType<typeof suite.kem.generateKeyPair>>;

export interface Answer {
  status: number;
  // What a relay answers is looked at by tests, field by field.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  body: any;
}

export interface Message {
  from: string;
  body: Record<string, unknown>;
  /** Whether a device of the sender's certified list has signed it; null where nobody has. */
  isSigned: boolean | null;
}

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;
export const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const fromBase64Url = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'base64url')) as Bytes;
const join = (...parts: Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts)) as Bytes;
const sha256 = async (data: Bytes): Promise<Bytes> =>
  new Uint8Array(await subtle.digest('SHA-256', data)) as Bytes;
const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));
const address20 = (address: string): Bytes => hexToBytes(address as Hex) as Bytes;
const integer = (value: number, length: 4 | 8): Bytes => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return new Uint8Array(bytes.subarray(8 - length)) as Bytes;
};

function pad(payload: Uint8Array): Bytes {
  const length = payload.length + 1;
  let bucket = [256, 512, 1024, 2048, 4096].find((size) => length <= size);
  if (bucket === undefined) {
    const exponent = Math.floor(Math.log2(length));
    const step = 2 ** (exponent - (Math.floor(Math.log2(exponent)) + 1));
    bucket = Math.ceil(length / step) * step;
  }
  return join(payload, Uint8Array.of(0x80), new Uint8Array(bucket - length));
}

export class IndependentClient {
  readonly #base: string;
  readonly #account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey());
  readonly address = this.#account.address.toLowerCase();
  token = '';
  deviceId = '';
  sealKey = '';
  #device: KeyPair | null = null;
  #seal: KeyPair | null = null;
  #list: Record<string, unknown> | null = null;
  #listText = '';

  constructor(base: string) {
    this.#base = base;
  }

  async call(method: string, path: string, body?: unknown, token = this.token): Promise<Answer> {
    const response = await fetch(`${this.#base}/api/v1${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  async login(): Promise<Answer> {
    const { body: fields } = await this.call('POST', '/auth/challenge', { address: this.address }, '');
    const text = [
      `${fields.domain} wants you to sign in with your Ethereum account:`,
      getAddress(this.address),
      '',
      fields.statement,
      '',
      `URI: ${fields.uri}`,
      `Version: ${fields.version}`,
      `Chain ID: ${fields.chainId}`,
      `Nonce: ${fields.nonce}`,
      `Issued At: ${fields.issuedAt}`,
      `Expiration Time: ${fields.expirationTime}`,
    ].join('\n');
    const signature = await this.#account.signMessage({ message: text });
    const login = { address: this.address, nonce: fields.nonce, signature };
    const answer = await this.call('POST', '/auth/session', login, '');
    this.token = answer.body.token;
    return answer;
  }

  /** Renews the session with the device's signature alone. */
  async renew(): Promise<Answer> {
    const issuedAt = new Date().toISOString();
    const bytes = join(
      utf8('waxwing/session/v1'),
      address20(this.address),
      fromBase64Url(this.deviceId),
      integer(Date.parse(issuedAt), 8),
      utf8(new URL(this.#base).host),
    );
    const signature = base64Url(await this.#sign(bytes));
    const renewal = { address: this.address, deviceId: this.deviceId, issuedAt, signature };
    return this.call('POST', '/auth/session', renewal, '');
  }

  /** Certifies the device in the next list and publishes its seal key the first time. */
  async certify(
    unsigned: string[] = [],
    change: (list: Record<string, unknown>) => void = () => {},
  ): Promise<Answer> {
    const isFirst = this.#device === null;
    this.#device ??= (await subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as KeyPair;
    this.#seal ??= await suite.kem.generateKeyPair();
    const key = new Uint8Array(await subtle.exportKey('raw', this.#device.publicKey)) as Bytes;
    this.deviceId = base64Url((await sha256(key)).subarray(0, 16));
    const until = new Date(Date.now() + 60 * 86_400_000).toISOString();
    const list: Record<string, unknown> = {
      sequence: Number(this.#list?.sequence ?? 0) + 1,
      previous: this.#list ? base64Url(await sha256(utf8(this.#listText))) : null,
      issued: new Date().toISOString(),
      unsigned,
      devices: [{ deviceId: this.deviceId, key: base64Url(key), type: 'app', validUntil: until }],
    };
    const text = [
      'Waxwing device list v1',
      'Sign only inside Waxwing. This lets the devices below read and send your messages.',
      `Address: ${getAddress(this.address)}`,
      `Sequence: ${list.sequence}`,
      `Previous: ${list.previous ?? 'none'}`,
      `Issued: ${list.issued}`,
      `Unsigned: ${unsigned.join(',') || 'none'}`,
      `Device: ${this.deviceId} ${base64Url(key)} app ${until}`,
    ].join('\n');
    const deviceList = { ...list, signature: await this.#account.signMessage({ message: text }) };
    change(deviceList);
    const sealKeys = isFirst ? [await this.#sealStatement(until)] : [];
    const answer = await this.call('PUT', '/me/devices', { deviceList, sealKeys });
    if (answer.status === 200) {
      this.#list = list;
      this.#listText = text;
    }
    return answer;
  }

  async #sealStatement(notAfter: string): Promise<Record<string, unknown>> {
    if (!this.#seal) throw new Error('no seal key');
    const key = new Uint8Array(await suite.kem.serializePublicKey(this.#seal.publicKey)) as Bytes;
    const notBefore = new Date().toISOString();
    this.sealKey = base64Url(key);
    const bytes = join(
      utf8('waxwing/sealkey/v1'),
      address20(this.address),
      fromBase64Url(this.deviceId),
      key,
      integer(1, 4),
      integer(Date.parse(notBefore), 8),
      integer(Date.parse(notAfter), 8),
    );
    const signature = base64Url(await this.#sign(bytes));
    return { deviceId: this.deviceId, key: this.sealKey, sequence: 1, notBefore, notAfter, signature };
  }

  async #sign(bytes: Bytes): Promise<Uint8Array> {
    if (!this.#device) throw new Error('no device');
    return new Uint8Array(await subtle.sign('Ed25519', this.#device.privateKey, bytes));
  }

  /** The payload of a text, signed by the device or by nobody. */
  async payload(peer: string, text: string, signed = true): Promise<Bytes> {
    const label = utf8('SEALEDMSG');
    const body = utf8(
      JSON.stringify({
        id: base64Url(random(16)),
        sender: this.address,
        sentAt: new Date().toISOString(),
        seq: 1,
        kind: 'text',
        peer,
        text,
      }),
    );
    if (!signed) return join(label, Uint8Array.of(1, 0), body);
    const signature = await this.#sign(join(utf8('waxwing/payload/v1'), label, await sha256(body)));
    return join(label, Uint8Array.of(1, 1), fromBase64Url(this.deviceId), signature, body);
  }

  /** One envelope for one seal key. */
  async envelope(
    to: string,
    sealKey: string,
    payload: Bytes,
    asRequest = false,
  ): Promise<Record<string, unknown>> {
    const sender = await suite.createSenderContext({
      recipientPublicKey: await suite.kem.deserializePublicKey(fromBase64Url(sealKey)),
      info: join(utf8('waxwing/seal/v1'), address20(this.address), address20(to)),
    });
    const raw = await sender.export(utf8('waxwing/seal/v1/key'), 32);
    const key = await subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt']);
    const nonce = random(12);
    const header = join(Uint8Array.of(1, 1, asRequest ? 1 : 0, 0), integer(0, 4), integer(0, 4));
    const parameters = { name: 'AES-GCM', iv: nonce, additionalData: header };
    const sealed = new Uint8Array(await subtle.encrypt(parameters, key, pad(payload)));
    return {
      toAddress: to,
      recipientDeviceKey: sealKey,
      ciphertext: base64Url(join(header, sealed)),
      ephemeralPublicKey: base64Url(new Uint8Array(sender.enc)),
      nonce: base64Url(nonce),
      asRequest,
    };
  }

  /** Opens an envelope from the inbox and checks its signature against the sender's published list. */
  async open(envelope: Record<string, string>): Promise<Message> {
    if (!this.#seal) throw new Error('no seal key');
    const { from = '', ciphertext = '', ephemeralPublicKey = '', nonce = '' } = envelope;
    const recipient = await suite.createRecipientContext({
      recipientKey: this.#seal.privateKey,
      enc: fromBase64Url(ephemeralPublicKey),
      info: join(utf8('waxwing/seal/v1'), address20(from), address20(this.address)),
    });
    const raw = await recipient.export(utf8('waxwing/seal/v1/key'), 32);
    const key = await subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
    const bytes = fromBase64Url(ciphertext);
    const parameters = { name: 'AES-GCM', iv: fromBase64Url(nonce), additionalData: bytes.subarray(0, 12) };
    const padded = Buffer.from(await subtle.decrypt(parameters, key, bytes.subarray(12)));
    const payload = new Uint8Array(padded.subarray(0, padded.lastIndexOf(0x80))) as Bytes;
    const label = payload.subarray(0, 9);
    const signed = payload[10] === 1;
    const body = payload.slice(signed ? 91 : 11);
    const message = { from, body: JSON.parse(Buffer.from(body).toString()) as Record<string, unknown> };
    if (!signed) return { ...message, isSigned: null };
    const { body: keys } = await this.call('GET', `/keys/${from}`);
    const deviceId = base64Url(payload.subarray(11, 27));
    const device = keys.deviceList.devices.find((each: { deviceId: string }) => each.deviceId === deviceId);
    const publicKey = await subtle.importKey('raw', fromBase64Url(device.key), 'Ed25519', false, ['verify']);
    const text = join(utf8('waxwing/payload/v1'), label, await sha256(body));
    return { ...message, isSigned: await subtle.verify('Ed25519', publicKey, payload.slice(27, 91), text) };
  }
}

/** An address that nobody has. */
export const nobody = bytesToHex(random(20));
