/**
 * Where the token of a call comes from: a session that renews itself, or a secret that someone was given.
 */
import { IN_THE_RELAYS_STEAD } from '../base/sentences.ts';
import { toChecksumAddress } from '../protocol/address.ts';
import { type PrivateKey, signEd25519 } from '../protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../protocol/encoding.ts';
import type { Session } from '../protocol/schemas/auth.ts';
import { sessionRenewalBytes } from '../protocol/session-renewal.ts';
import { formatSiwe } from '../protocol/siwe.ts';
import { signText, type Wallet } from '../protocol/wallet.ts';
import { type RelayHttp, RelayRefusal } from './http.ts';

/** Gives tokens to calls. */
export interface Credential {
  /** Wire address that it belongs to; null where only the relay knows. */
  readonly address: string | null;
  token(): Promise<string>;
  /** The relay refused the token: the next call must bring another, if there is one. */
  discard(): void;
}

/** An API key or group token: there is no other if it is refused. */
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

/** A session is renewed when less than this is left of it, in milliseconds. */
const RENEW_BEFORE = 60_000;

/** A session counts for at least so long, whatever the relay says, or each call would log in again. In milliseconds. */
const LEAST_LIFE = 2 * RENEW_BEFORE;

/** Who logs in: a device of an address, and the wallet, where it is at hand. */
export interface SessionOwner {
  address: string;
  deviceId: string;
  deviceKey: PrivateKey;
  wallet: Wallet | null;
}

/** Sessions of an address: renewed by the device's signature, by the wallet's where the device is not known yet. */
/** What the first login of an account at a relay may bring. */
export interface FirstLogin {
  /** A code for the account that it makes, where the relay wants one. */
  invitation?: string | null;
  /** Whether it opens an account again that was deleted: the person has just entered its recovery phrase. */
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
   * Opens the next session in one way, whatever the one before was. The relay does more for the wallet: it ends an account
   * at once, and opens one again that was deleted.
   * @param by the device, or the wallet of its address, which need not be kept here
   * @throws RelayRefusal, RelayUnreachable
   */
  async reopen(by: 'device' | Wallet): Promise<void> {
    await this.#use(by === 'device' ? this.#renew() : this.#login(by, true));
  }

  /** Calls that come meanwhile share the login; it counts as fresh until its real expiry is known. */
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

  /** The session that was opened last, without a call; null if there is none, or the relay refused it. */
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
   * @param reopens whether an account that was deleted is opened again: only the person says so
   */
  async #login(wallet: Wallet, reopens = false): Promise<Session> {
    const { address } = wallet;
    const challenge = await this.#http.call('createChallenge', { body: { address } });
    if (challenge.domain !== this.#http.domain) {
      throw new RelayRefusal(
        403,
        'forbidden',
        IN_THE_RELAYS_STEAD.other_domain({ asked: challenge.domain, called: this.#http.domain }),
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
