/**
 * The calls of a relay's API with a credential on each, as the relay answers them: nothing is sealed or proven here.
 */
import type { DeviceList } from '../protocol/device-list.ts';
import type { ENDPOINTS, EndpointName, ResponseOf } from '../protocol/endpoints.ts';
import { LIST_PAGE, type Limits, usableLimits } from '../protocol/limits.ts';
import type { RosterEntry } from '../protocol/roster/forms.ts';
import type { NewInvitation } from '../protocol/schemas/accounts.ts';
import type { AddressKeys, HandleRecord, KeyHistory, KeyHistoryWant } from '../protocol/schemas/directory.ts';
import type { Envelope, SendResult } from '../protocol/schemas/envelopes.ts';
import type {
  GroupEntry,
  GroupEnvelope,
  GroupSendResponse,
  GroupView,
  NewToken,
} from '../protocol/schemas/groups.ts';
import type { Inbox } from '../protocol/schemas/inbox.ts';
import type { ApiKey, Me } from '../protocol/schemas/me.ts';
import {
  type AdmissionRequest,
  type FoundRequest,
  ROSTER_PAGE,
  type RosterPage,
  type RosterPlace,
} from '../protocol/schemas/rosters.ts';
import type { SealKey } from '../protocol/seal-key.ts';
import {
  type CallOptions,
  type OctetEndpoint,
  type OctetOptions,
  type RelayHttp,
  RelayRefusal,
} from './http.ts';
import { readPages } from './pages.ts';
import type { Credential } from './session.ts';

/** How much longer than the relay holds a poll its answer may take, in milliseconds. */
const POLL_GRACE = 10_000;

/** API keys that are read of a relay at most. */
const MOST_API_KEYS = 1_000;

export class RelayApi {
  readonly #http: RelayHttp;
  readonly #credential: Credential;
  /** Whom the relay has named as the owner of the credential; it cannot name another later. */
  #address: string | null;
  #limits: Limits | null = null;

  constructor(http: RelayHttp, credential: Credential) {
    this.#http = http;
    this.#credential = credential;
    this.#address = credential.address;
  }

  /** Scheme and authority of the relay. */
  get baseUrl(): string {
    return this.#http.baseUrl;
  }

  /** The next call brings a new session, where there are sessions. */
  logInAgain(): void {
    this.#credential.discard();
  }

  /** Cuts the calls that are under way. */
  close(): void {
    this.#http.close();
  }

  async me(): Promise<Me> {
    const me = await this.call('getMe', {});
    this.#address ??= me.address;
    this.#limits = usableLimits(me.limits);
    return me;
  }

  /** What the relay takes at most, as it said last, within what makes sense. */
  async limits(): Promise<Limits> {
    return this.#limits ?? usableLimits((await this.me()).limits);
  }

  claimHandle(handle: string): Promise<Me> {
    return this.call('putHandle', { body: { handle } });
  }

  saveProfile(displayName: string | null): Promise<Me> {
    return this.call('putProfile', { body: { displayName } });
  }

  saveDeveloperAccess(enabled: boolean): Promise<Me> {
    return this.call('putDeveloperAccess', { body: { enabled } });
  }

  /**
   * Deletes the account at the relay: at once in a session of the wallet, after seven days in one of a device. Leave the
   * groups first (`deleteAccount` of src/client/identity/account-end.ts).
   * @returns when it ends, as a time of the wire; null: it has ended
   */
  async deleteAccount(): Promise<string | null> {
    return (await this.call('deleteAccount', {}))?.deletesAt ?? null;
  }

  /** Keeps an account that was to end. */
  cancelDeletion(): Promise<undefined> {
    return this.call('cancelDeletion', {});
  }

  /**
   * Makes a code with which others open an account, where the operator lets members do that.
   * @param uses how many accounts it opens, 1 to 20
   * @param expires a time of the wire, at most 30 days ahead
   */
  createInvitation(uses: number, expires: string): Promise<NewInvitation> {
    return this.call('createInvitation', { body: { uses, expires } });
  }

  /** @param pqKeys ML-KEM public keys that the seal keys name, in base64url */
  putDevices(deviceList: DeviceList, sealKeys: SealKey[], pqKeys: string[] = []): Promise<AddressKeys> {
    return this.call('putDevices', { body: { deviceList, sealKeys, pqKeys } });
  }

  /** @param pqKey the ML-KEM public key that the seal key names, in base64url; null if it names none */
  putSealKey(deviceId: string, sealKey: SealKey, pqKey: string | null): Promise<AddressKeys> {
    const body = pqKey === null ? { sealKey } : { sealKey, pqKey };
    return this.call('putSealKey', { params: { deviceId }, body });
  }

  /** Who has a handle; null if nobody has, or not publicly. */
  handle(handle: string): Promise<HandleRecord | null> {
    return nullIfMissing(this.call('getHandle', { params: { handle } }));
  }

  /** Public handles that begin with a text or contain it. */
  async searchHandles(text: string, limit: number): Promise<HandleRecord[]> {
    return (await this.call('searchHandles', { query: { q: text, limit } })).handles;
  }

  /** Device list and seal keys of an address as the relay tells them, unproven; null if it has none. */
  keys(address: string): Promise<AddressKeys | null> {
    return nullIfMissing(this.call('getKeys', { params: { address } }));
  }

  /** The device lists of an address after a sequence, oldest first, unproven; at most {@link HISTORY_PAGE}. */
  keyHistory(address: string, after: number): Promise<KeyHistory> {
    return this.call('getKeyHistory', { params: { address }, query: { after } });
  }

  /**
   * The device lists of up to {@link MOST_HISTORY_WANTS} addresses in ranges of sequences, unproven. One history for each
   * want, in their order; together at most {@link MOST_HISTORY_LISTS} lists, and those that are cut off say `more`.
   */
  async keyHistories(wants: KeyHistoryWant[]): Promise<KeyHistory[]> {
    return (await this.call('getKeyHistories', { body: { wants } })).histories;
  }

  /** ML-KEM public keys by their digests, all in base64url; those that the relay does not have are left out. */
  async pqKeys(digests: string[]): Promise<Record<string, string>> {
    return (await this.call('getPqKeys', { body: { digests } })).keys;
  }

  /** Sends a batch of up to 500, each in a result of its own, in the order of the envelopes. */
  async sendEnvelopes(envelopes: Envelope[]): Promise<SendResult[]> {
    const answer = await this.call('sendEnvelopes', { body: { envelopes } });
    // For the compiler: an answer to a batch has results, or it was refused as a wrong one.
    return 'results' in answer ? answer.results : [];
  }

  /** A group with the keys of its members as the relay tells them, unproven. */
  group(id: string): Promise<GroupView> {
    return this.call('getGroup', { params: { id } });
  }

  /** Makes a group by its first entries. */
  foundGroup(body: FoundRequest): Promise<GroupView> {
    return this.call('createGroup', { body });
  }

  /** Lets the caller read for ten minutes a group that they could join. Returns the last entry of its chain. */
  admit(id: string, body: AdmissionRequest): Promise<RosterPlace> {
    return this.call('admitToGroup', { params: { id }, body });
  }

  /** Entries of a group's chain as the relay tells them, unproven: those after an epoch, oldest first. */
  roster(id: string, after: number): Promise<RosterPage> {
    return this.call('getRoster', { params: { id }, query: { after, limit: ROSTER_PAGE.most } });
  }

  /** Appends an entry to a group's chain. @param password what the relay is told with a new `joinKey` */
  async appendEntry(id: string, entry: RosterEntry, password?: string): Promise<void> {
    const body = { entry, ...(password !== undefined && { password }) };
    await this.call('postRosterEntry', { params: { id }, body });
  }

  /** Shows a group in the directory, or hides it there. */
  async saveListing(id: string, listed: boolean): Promise<void> {
    await this.call('putListing', { params: { id }, body: { listed } });
  }

  /** Makes a group token. Its secret is in this answer alone. For the creator of the group. */
  createToken(id: string, name: string): Promise<NewToken> {
    return this.call('createToken', { params: { id }, body: { name } });
  }

  /** Ends a group token. For the creator of the group. */
  async deleteToken(id: string, tokenId: string): Promise<void> {
    await this.call('deleteToken', { params: { id, tokenId } });
  }

  /** Posts sealed copies into a group: all of them, or, if one is refused, none. */
  sendToGroup(id: string, envelopes: GroupEnvelope[]): Promise<GroupSendResponse> {
    return this.call('sendGroupEnvelopes', { params: { id }, body: { envelopes } });
  }

  /** The API keys of the account, newest first: no more than a person looks through. */
  apiKeys(): Promise<ApiKey[]> {
    return readPages(async (cursor) => {
      const query = { limit: LIST_PAGE.most, ...cursor };
      const { apiKeys, nextCursor } = await this.call('listApiKeys', { query });
      return { entries: apiKeys, nextCursor };
    }, MOST_API_KEYS);
  }

  /** Groups of the directory, or the account's own with `mine`; `most` of them at most. */
  groups(filter: { mine?: boolean; q?: string }, most: number): Promise<GroupEntry[]> {
    return readPages(async (cursor) => {
      const query = { ...filter, limit: Math.min(most, LIST_PAGE.most), ...cursor };
      const { groups, nextCursor } = await this.call('searchGroups', { query });
      return { entries: groups, nextCursor };
    }, most);
  }

  /** What waits for a device, oldest first; held for `wait` seconds while there is nothing. */
  inbox(
    deviceId: string,
    options: { limit: number; wait: number; signal?: AbortSignal | undefined },
  ): Promise<Inbox> {
    return this.call('getInbox', {
      query: { device: deviceId, limit: options.limit, wait: options.wait },
      timeout: options.wait * 1000 + POLL_GRACE,
      signal: options.signal,
    });
  }

  async acknowledge(deviceId: string, ids: string[]): Promise<void> {
    await this.call('acknowledge', { body: { device: deviceId, ids } });
  }

  /** One call, with a fresh token if the first is refused: it may have expired, or the relay may have lost it. */
  async call<N extends EndpointName>(
    name: N,
    options: CallOptions<N>,
  ): Promise<ResponseOf<(typeof ENDPOINTS)[N]>> {
    try {
      return await this.#callWithToken(name, options);
    } catch (error) {
      // Its limits are lower than it said last: they are asked for again.
      if (error instanceof RelayRefusal && error.code === 'too_large') this.#limits = null;
      throw error;
    }
  }

  /** A call whose request or answer is bytes: see {@link RelayHttp.octets}. */
  octets<T>(
    name: OctetEndpoint,
    options: OctetOptions,
    use: (response: Response, alive: () => void) => Promise<T>,
  ): Promise<T> {
    return this.#withToken((token) => this.#http.octets(name, { ...options, token }, use));
  }

  async #callWithToken<N extends EndpointName>(
    name: N,
    options: CallOptions<N>,
  ): Promise<ResponseOf<(typeof ENDPOINTS)[N]>> {
    const address = this.#address;
    return this.#withToken((token) => this.#http.call(name, { ...options, address, token }));
  }

  async #withToken<T>(work: (token: string) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#credential.token());
    } catch (error) {
      if (!(error instanceof RelayRefusal) || error.code !== 'unauthorized') throw error;
      this.#credential.discard();
      return work(await this.#credential.token());
    }
  }
}

async function nullIfMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RelayRefusal && error.code === 'not_found') return null;
    throw error;
  }
}
