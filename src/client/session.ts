/** Sources of a call's token: a session that renews itself, or a given secret. */
import { IN_THE_RELAYS_STEAD } from '../base/sentences.ts';
import { toChecksumAddress } from '../protocol/address.ts';
import { type PrivateKey, signEd25519 } from '../protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../protocol/encoding.ts';
import type { Session } from '../protocol/schemas/auth.ts';
import { sessionRenewalBytes } from '../protocol/session-renewal.ts';
import { formatSiwe } from '../protocol/siwe.ts';
import { signText, type Wallet } from '../protocol/wallet.ts';
import { type RelayHttp, RelayRefusal } from './http.ts';

/** A source of tokens for calls. */
export interface Credential {
  /** Wire address of its owner; null if only the relay knows it. */
  readonly address: string | null;
  token(): Promise<string>;
  /** Discards a refused token: the next call must use another, if there is one. */
  discard(): void;
}

/** An API key or group token: there is no replacement if it is refused. */
export class SecretCredential implements Credential {
  readonly address = null;
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async token(): Promise<string> {
    return this.#secret;
  }

  discard(): void {}
}

/** The remaining lifetime at which a session is renewed, in milliseconds. */
const RENEW_BEFORE = 60_000;

/**
 * The shortest lifetime of a session, even if the relay announces a shorter one: otherwise each call would log in again. In
 * milliseconds.
 */
const LEAST_LIFE = 2 * RENEW_BEFORE;

/** The owner of sessions: a device of an address, and the wallet if available. */
export interface SessionOwner {
  address: string;
  deviceId: string;
  deviceKey: PrivateKey;
  wallet: Wallet | null;
}

/** Sessions of an address: renewed by the device's signature, or by the wallet's if the device is still unknown. */
/** Options of an account's first login at a relay. */
export interface FirstLogin {
  /** A code for opening the account, if the relay requires one. */
  invitation?: string | null;
  /** True to reopen a deleted account: the person has just entered its recovery phrase. */
  reopens?: boolean;
}

export class WalletSession implements Credential {
  readonly #http: RelayHttp;
  readonly #owner: SessionOwner;
  #session: Promise<Session> | null = null;
  #current: Session | null = null;
  #expiresAt = 0;
  readonly #invitation: string | null;
  #reopens: boolean;

  constructor(http: RelayHttp, owner: SessionOwner, { invitation = null, reopens = false }: FirstLogin = {}) {
    this.#http = http;
    this.#owner = owner;
    this.#invitation = invitation;
    this.#reopens = reopens;
  }

  get address(): string {
    return this.#owner.address;
  }

  async token(): Promise<string> {
    const isOld = Date.now() > this.#expiresAt - RENEW_BEFORE;
    const session = this.#session && !isOld ? this.#session : this.#use(this.#open());
    return (await session).token;
  }

  /**
   * Opens a new session with the given signer. The relay permits more to the wallet: ending an account at once, and
   * reopening a deleted one.
   * @param by the device, or the wallet of its address, which need not be stored here
   * @throws RelayRefusal, RelayUnreachable
   */
  async reopen(by: 'device' | Wallet): Promise<void> {
    await this.#use(by === 'device' ? this.#renew() : this.#login(by, true));
  }

  /** Concurrent calls share the login; it counts as fresh until its real expiry is known. */
  #use(opening: Promise<Session>): Promise<Session> {
    this.#expiresAt = Number.POSITIVE_INFINITY;
    this.#session = opening;
    opening.then(
      (session) => {
        this.#current = session;
        this.#expiresAt = Math.max(Date.parse(session.expiresAt), Date.now() + LEAST_LIFE);
      },
      () => this.discard(),
    );
    return opening;
  }

  discard(): void {
    this.#session = null;
    this.#current = null;
  }

  /** The last session, without a call; null if there is none, or the relay refused it. */
  get current(): Session | null {
    return this.#current;
  }

  async #open(): Promise<Session> {
    try {
      return await this.#renew();
    } catch (error) {
      const { wallet } = this.#owner;
      if (wallet && error instanceof RelayRefusal && error.status === 401)
        return this.#login(wallet, this.#reopens);
      throw error;
    }
  }

  /** protocol.md §9: the device signs its address, id, the time and the relay's domain. */
  #renew(): Promise<Session> {
    const { address, deviceId, deviceKey } = this.#owner;
    const issuedAt = encodeTime(Date.now());
    const bytes = sessionRenewalBytes(address, deviceId, issuedAt, this.#http.domain);
    const signature = encodeBase64Url(signEd25519(deviceKey, bytes));
    return this.#http.call('createSession', { body: { address, deviceId, issuedAt, signature } });
  }

  /**
   * EIP-4361: the text is built here, from the relay's own host; a challenge for another domain is not signed.
   * @param reopens true to reopen a deleted account: only on request of the person
   */
  async #login(wallet: Wallet, reopens = false): Promise<Session> {
    const { address } = wallet;
    const challenge = await this.#http.call('createChallenge', { body: { address } });
    if (challenge.domain !== this.#http.domain) {
      throw new RelayRefusal(
        403,
        'forbidden',
        IN_THE_RELAYS_STEAD.other_domain({ requested: challenge.domain, called: this.#http.domain }),
      );
    }
    const text = formatSiwe({ ...challenge, address: toChecksumAddress(address) });
    const session = await this.#http.call('createSession', {
      body: {
        address,
        nonce: challenge.nonce,
        signature: signText(wallet, text),
        ...(this.#invitation !== null && { invitation: this.#invitation }),
        ...(reopens && { reopen: true }),
      },
    });
    this.#reopens = false;
    return session;
  }
}
