/** An identity for a program that receives and signs: a device of an address with its keys, in its own file. */
import type { Greetings } from '../../messaging/greeting/greetings.ts';
import { ApiKeyEntitlement } from '../../protocol/credentials.ts';
import { importEd25519, type PrivateKey, randomBytes } from '../../protocol/crypto.ts';
import { deviceIdOf } from '../../protocol/device-id.ts';
import type { DeviceList, UnsignedKind } from '../../protocol/device-list.ts';
import { decodeBase64Url, encodeBase64Url } from '../../protocol/encoding.ts';
import { generatePhrase, type Wallet, walletFromKey, walletFromPhrase } from '../../protocol/wallet.ts';
import { RelayApi } from '../api.ts';
import { normaliseRelayUrl } from '../check.ts';
import { IdentityError } from '../errors.ts';
import { RelayHttp, RelayRefusal } from '../http.ts';
import { SecretCredential, type SessionOwner, WalletSession } from '../session.ts';
import { deleteAccount } from './account-end.ts';
import type { IdentityData } from './file.ts';
import { Journal } from './journal/journal.ts';
import type { OwnProfile } from './own-profile.ts';
import type { OwnSealKey } from './own-seal-keys.ts';
import { Registration, type RegistrationStore } from './registration.ts';
import { IdentityFile, type Protection } from './sealed-file.ts';

export interface CreateOptions {
  /** The identity's file, with mode 0600. Without it, the identity is lost when the program ends. */
  file?: string;
  /** Seals the file; otherwise it contains plain keys. */
  protection?: Protection | undefined;
  /** The wallet of an existing address, such as `walletFromPhrase('…')`. A new one by default. */
  wallet?: Wallet | undefined;
  /**
   * False leaves the wallet's key out of the file: the program then cannot change the device list, and its device
   * must be certified again, with the wallet, after a year.
   */
  keepWallet?: boolean;
}

export interface RegisterOptions {
  /** Claims this handle, unless the address has it already. */
  handle?: string;
  /** The display name for others. */
  displayName?: string;
  /** An invitation code, if the relay requires one for a new account. */
  invitation?: string | undefined;
  /** Name of the API key in the list of keys. */
  keyName?: string;
  /**
   * Kinds of unsigned messages that recipients accept from this address: 'api' for messages sent with only an API
   * key, 'bots' for posts with group tokens. `['api']` by default; [] for a program that signs everything.
   */
  allowUnsigned?: readonly UnsignedKind[];
}

/**
 * A device of an address: it receives messages, and signs those that it sends.
 *
 * @example
 * const identity = existsSync('bot.json') ? Identity.open('bot.json') : Identity.create({ file: 'bot.json' });
 * await identity.register('https://relay.example', { handle: 'my_bot' });
 * const client = new RelayClient({ identity });
 */
export class Identity implements SessionOwner {
  readonly address: string;
  /** 16 bytes in base64url: the id of the device, and of its queue at the relay. */
  readonly deviceId: string;
  /** @internal */
  readonly deviceKey: PrivateKey;
  /** @internal */
  readonly wallet: Wallet | null;
  /** @internal */
  readonly journal: Journal;
  /** @internal Announces the device list: one instance for all clients of this identity. */
  greetings: Greetings | null = null;
  readonly #file: IdentityFile | null;
  #data: IdentityData;

  private constructor(
    path: string | null,
    file: IdentityFile | null,
    data: IdentityData,
    wallet: Wallet | null,
  ) {
    this.#file = file;
    this.#data = data;
    this.wallet = wallet;
    this.address = data.address;
    this.deviceKey = importEd25519(decodeBase64Url(data.deviceSeed));
    this.deviceId = encodeBase64Url(deviceIdOf(this.deviceKey.publicKey));
    this.journal = new Journal(path && `${path}.journal`, Date.now());
  }

  /**
   * A new device, of a new address unless a wallet is given. {@link register} registers it at the relay.
   * @throws IdentityError if the file exists already or cannot be written
   */
  static create(options: CreateOptions = {}): Identity {
    const phrase = options.wallet ? null : generatePhrase();
    const wallet = options.wallet ?? walletFromPhrase(phrase ?? '');
    const keepWallet = options.keepWallet ?? true;
    const data: IdentityData = {
      version: 1,
      address: wallet.address,
      walletKey: keepWallet ? encodeBase64Url(wallet.privateKey) : null,
      phrase: keepWallet ? phrase : null,
      deviceSeed: encodeBase64Url(randomBytes(32)),
      deviceType: 'api',
      deviceLists: [],
      registeredAt: null,
      sealKeys: [],
      handle: null,
      displayName: null,
      developerApi: null,
      relay: null,
      apiKey: null,
      retention: null,
    };
    const { file: path, protection } = options;
    if (path === undefined) return new Identity(null, null, data, wallet);
    return new Identity(path, IdentityFile.create(path, data, protection), data, wallet);
  }

  /**
   * The identity in a file.
   * @param protection key or passphrase of the file; a plain file is sealed with it
   * @throws IdentityError if it cannot be read, is invalid, or does not open
   */
  static open(path: string, protection?: Protection): Identity {
    const { file, data } = IdentityFile.open(path, protection);
    const wallet = data.walletKey === null ? null : walletFromKey(decodeBase64Url(data.walletKey));
    return new Identity(path, file, data, wallet);
  }

  /** Base URL of the relay at which this identity is registered; null before. */
  get relay(): string | null {
    return this.#data.relay;
  }

  /** The secret of the API key that {@link register} created; null before. */
  get apiKey(): string | null {
    return this.#data.apiKey;
  }

  /**
   * The recovery phrase of a wallet from {@link create}: with it the address can be used on another device. Null if
   * the wallet was given, or is not stored.
   */
  get phrase(): string | null {
    return this.#data.phrase;
  }

  /** The newest known device list of the address; null before registration. */
  get deviceList(): DeviceList | null {
    return this.#data.deviceLists.at(-1) ?? null;
  }

  /** @internal Every known device list of the address, ascending. */
  get deviceLists(): readonly DeviceList[] {
    return this.#data.deviceLists;
  }

  /** @internal The longest retention that the relay has announced, in milliseconds; null before. */
  get retention(): number | null {
    return this.#data.retention;
  }

  /** The number of messages that this identity has sent to an address, or into a group by its id. */
  sentTo(conversation: string): number {
    return this.journal.sent(conversation);
  }

  /**
   * Registers the identity at a relay: logs in with the wallet, adds the device to the address's device list, claims
   * the handle, unlocks Developer API access and creates an API key, whose secret is stored in the file. Skips
   * completed steps, so a program calls it at every start.
   * @param relay base URL, such as https://relay.example
   * @throws RelayRefusal ('handle_taken', 'invitation_required', 'account_deleted', for example), RelayUnreachable,
   * UnverifiableError, IdentityError
   */
  async register(relay: string, options: RegisterOptions = {}): Promise<void> {
    const url = normaliseRelayUrl(relay);
    const account = this.account(url, options.invitation);
    await this.registration(account).ensure(options.allowUnsigned ?? ['api']);
    const { handle, displayName } = options;
    let me = await account.me();
    if (handle !== undefined && me.handle !== handle) me = await account.claimHandle(handle);
    if (displayName !== undefined && me.displayName !== displayName) {
      me = await account.saveProfile(displayName);
    }
    if (!me.developerApi) me = await account.saveDeveloperAccess(true);
    this.#saveProfile({ ...me, handle: handle ?? this.#data.handle });
    if (url !== this.#data.relay) this.#save({ relay: url });
    if (await this.#hasWorkingKey(url)) return;
    const { secret } = await account.call('createApiKey', {
      body: { name: options.keyName ?? 'Waxwing bot', entitlements: [...ApiKeyEntitlement.options] },
    });
    this.#save({ apiKey: secret });
  }

  /**
   * The calls of the API with a session of this identity, which has permissions that no API key has: handles,
   * devices, API keys, groups and their tokens.
   * @param relay base URL; by default that of the registration
   * @param invitation for the first login, if the relay requires one
   */
  account(relay = this.#data.relay ?? '', invitation?: string): RelayApi {
    const http = new RelayHttp(normaliseRelayUrl(relay));
    return new RelayApi(http, new WalletSession(http, this, { invitation: invitation ?? null }));
  }

  /** @internal {@link RelayClient.deleteAccount}. @param leave leaves a group */
  async deleteAccount(now: boolean, leave: (groupId: string) => Promise<unknown>): Promise<number | null> {
    const wallet = now ? this.#needWallet() : null;
    const { relay, session } = this.#open();
    return deleteAccount(relay, session, wallet, leave);
  }

  /**
   * Cancels a planned deletion of the account.
   * @throws RelayRefusal, RelayUnreachable
   */
  async keepAccount(): Promise<void> {
    await this.account().cancelDeletion();
  }

  /**
   * Reopens a deleted account, empty; {@link register} then registers the identity as before.
   * @throws RelayRefusal, RelayUnreachable, IdentityError wallet_not_kept
   */
  async reopenAccount(): Promise<void> {
    const wallet = this.#needWallet();
    await this.#open().session.reopen(wallet);
  }

  /** @throws IdentityError wallet_not_kept */
  #needWallet(): Wallet {
    if (!this.wallet) throw new IdentityError('wallet_not_kept');
    return this.wallet;
  }

  #open(): { relay: RelayApi; session: WalletSession } {
    const http = new RelayHttp(normaliseRelayUrl(this.#data.relay ?? ''));
    const session = new WalletSession(http, this);
    return { relay: new RelayApi(http, session), session };
  }

  /** @internal Keeps the device certified and its seal key current, with a session from {@link account}. */
  registration(account: RelayApi): Registration {
    const store: RegistrationStore = {
      registeredAt: () => this.#data.registeredAt,
      profile: () => this.#data,
      saveProfile: (profile) => this.#saveProfile(profile),
      lists: () => this.#data.deviceLists,
      newestList: () => this.deviceList,
      addLists: (lists) => this.#save({ deviceLists: [...this.#data.deviceLists, ...lists] }),
      sealKeys: () => this.sealKeys(),
      addSealKey: (key) => {
        const added = { ...key, secret: encodeBase64Url(key.secret) };
        this.#save({ sealKeys: [added, ...this.#data.sealKeys] });
      },
      markRegistered: (now) => {
        if (this.#data.registeredAt === null) this.#save({ registeredAt: now });
      },
      retention: () => this.retention,
      saveRetention: (retention) => this.#save({ retention }),
      markSealKeyAccepted: (sequence, now) => this.#markSealKeyAccepted(sequence, now),
      eraseSealKeys: (sequences) => this.#eraseSealKeys(sequences),
    };
    return new Registration({
      store,
      relay: account,
      owner: this,
      deviceType: this.#data.deviceType,
      now: Date.now,
    });
  }

  /** @internal The private seal keys, newest first. */
  sealKeys(): OwnSealKey[] {
    return this.#data.sealKeys.map((key) => ({ ...key, secret: decodeBase64Url(key.secret) }));
  }

  #saveProfile({ handle, displayName, developerApi }: OwnProfile): void {
    const { handle: was, displayName: wasNamed, developerApi: hadApi } = this.#data;
    if (handle === was && displayName === wasNamed && developerApi === hadApi) return;
    this.#save({ handle, displayName, developerApi });
  }

  #markSealKeyAccepted(sequence: number, now: number): void {
    const sealKeys = this.#data.sealKeys.map((key) =>
      key.statement.sequence === sequence ? { ...key, acceptedAt: now } : key,
    );
    this.#save({ sealKeys });
  }

  #eraseSealKeys(sequences: number[]): void {
    const sealKeys = this.#data.sealKeys.filter(({ statement }) => !sequences.includes(statement.sequence));
    this.#save({ sealKeys });
  }

  async #hasWorkingKey(relay: string): Promise<boolean> {
    if (this.#data.apiKey === null) return false;
    try {
      const me = await new RelayApi(new RelayHttp(relay), new SecretCredential(this.#data.apiKey)).me();
      return me.address === this.address;
    } catch (error) {
      if (error instanceof RelayRefusal && error.code === 'unauthorized') return false;
      throw error;
    }
  }

  #save(change: Partial<IdentityData>): void {
    const next = { ...this.#data, ...change };
    this.#file?.write(next);
    this.#data = next;
  }
}
