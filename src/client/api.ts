/**
 * The calls of a relay's API, with a credential on each. Answers are returned unproven, and nothing is sealed here.
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

/** Additional time for the answer to a poll after the relay's own wait, in milliseconds. */
const POLL_GRACE = 10_000;

/** The most API keys read from a relay. */
const MAX_API_KEYS = 1_000;

export class RelayApi {
  readonly #http: RelayHttp;
  readonly #credential: Credential;
  /** The owner of the credential, as the relay named it first; it cannot change. */
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

  /** Requires a new session for the next call, if sessions are in use. */
  logInAgain(): void {
    this.#credential.discard();
  }

  /** Aborts the calls in progress. */
  close(): void {
    this.#http.close();
  }

  async me(): Promise<Me> {
    const me = await this.call('getMe', {});
    this.#address ??= me.address;
    this.#limits = usableLimits(me.limits);
    return me;
  }

  /** The relay's limits as last announced, without a request; null before the first answer. */
  get knownLimits(): Limits | null {
    return this.#limits;
  }

  /** The relay's limits as last announced, within sensible bounds. */
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

  /** Cancels a planned deletion of the account. */
  cancelDeletion(): Promise<undefined> {
    return this.call('cancelDeletion', {});
  }

  /**
   * Creates a code with which others open an account, if the operator allows that to members.
   * @param uses number of accounts that it opens, 1 to 20
   * @param expires a time of the wire, at most 30 days ahead
   */
  createInvitation(uses: number, expires: string): Promise<NewInvitation> {
    return this.call('createInvitation', { body: { uses, expires } });
  }

  /** @param pqKeys ML-KEM public keys named by the seal keys, in base64url */
  putDevices(deviceList: DeviceList, sealKeys: SealKey[], pqKeys: string[] = []): Promise<AddressKeys> {
    return this.call('putDevices', { body: { deviceList, sealKeys, pqKeys } });
  }

  /** @param pqKey the ML-KEM public key named by the seal key, in base64url; null for none */
  putSealKey(deviceId: string, sealKey: SealKey, pqKey: string | null): Promise<AddressKeys> {
    const body = pqKey === null ? { sealKey } : { sealKey, pqKey };
    return this.call('putSealKey', { params: { deviceId }, body });
  }

  /** The owner of a handle; null if there is none, or it is not public. */
  handle(handle: string): Promise<HandleRecord | null> {
    return nullIfMissing(this.call('getHandle', { params: { handle } }));
  }

  /** Public handles that begin with a text or contain it. */
  async searchHandles(text: string, limit: number): Promise<HandleRecord[]> {
    return (await this.call('searchHandles', { query: { q: text, limit } })).handles;
  }

  /** Unproven device list and seal keys of an address; null if it has none. */
  keys(address: string): Promise<AddressKeys | null> {
    return nullIfMissing(this.call('getKeys', { params: { address } }));
  }

  /** The device lists of an address after a sequence, oldest first, unproven; at most {@link HISTORY_PAGE}. */
  keyHistory(address: string, after: number): Promise<KeyHistory> {
    return this.call('getKeyHistory', { params: { address }, query: { after } });
  }

  /**
   * Unproven device lists of up to {@link MAX_HISTORY_WANTS} addresses in ranges of sequences. One history for each
   * want, in their order; together at most {@link MAX_HISTORY_LISTS} lists. Truncated histories have `more`.
   */
  async keyHistories(wants: KeyHistoryWant[]): Promise<KeyHistory[]> {
    return (await this.call('getKeyHistories', { body: { wants } })).histories;
  }

  /** ML-KEM public keys by their digests, all in base64url; keys unknown to the relay are left out. */
  async pqKeys(digests: string[]): Promise<Record<string, string>> {
    return (await this.call('getPqKeys', { body: { digests } })).keys;
  }

  /** Sends a batch of up to 500, with one result for each, in the order of the envelopes. */
  async sendEnvelopes(envelopes: Envelope[]): Promise<SendResult[]> {
    const answer = await this.call('sendEnvelopes', { body: { envelopes } });
    // For the compiler only: an answer to a batch without results is refused before.
    return 'results' in answer ? answer.results : [];
  }

  /** A group with the unproven keys of its members. */
  group(id: string): Promise<GroupView> {
    return this.call('getGroup', { params: { id } });
  }

  /** Creates a group by its first entries. */
  foundGroup(body: FoundRequest): Promise<GroupView> {
    return this.call('createGroup', { body });
  }

  /**
   * Allows the caller to read, for ten minutes, a group that they could join. Returns the last entry of its chain.
   */
  admit(id: string, body: AdmissionRequest): Promise<RosterPlace> {
    return this.call('admitToGroup', { params: { id }, body });
  }

  /** Unproven entries of a group's chain after an epoch, oldest first. */
  roster(id: string, after: number): Promise<RosterPage> {
    return this.call('getRoster', { params: { id }, query: { after, limit: ROSTER_PAGE.most } });
  }

  /**
   * Appends an entry to a group's chain.
   * @param password the relay's half, with a new `joinKey`
   */
  async appendEntry(id: string, entry: RosterEntry, password?: string): Promise<void> {
    const body = { entry, ...(password !== undefined && { password }) };
    await this.call('postRosterEntry', { params: { id }, body });
  }

  /** Shows a group in the directory, or hides it there. */
  async saveListing(id: string, listed: boolean): Promise<void> {
    await this.call('putListing', { params: { id }, body: { listed } });
  }

  /** Creates a group token. Only this answer contains its secret. For the creator of the group. */
  createToken(id: string, name: string): Promise<NewToken> {
    return this.call('createToken', { params: { id }, body: { name } });
  }

  /** Ends a group token. For the creator of the group. */
  async revokeToken(id: string, tokenId: string): Promise<void> {
    await this.call('revokeToken', { params: { id, tokenId } });
  }

  /** Posts sealed copies into a group: all of them, or, if one is refused, none. */
  sendToGroup(id: string, envelopes: GroupEnvelope[]): Promise<GroupSendResponse> {
    return this.call('sendGroupEnvelopes', { params: { id }, body: { envelopes } });
  }

  /** The API keys of the account, newest first, up to a limit. */
  apiKeys(): Promise<ApiKey[]> {
    return readPages(async (cursor) => {
      const query = { limit: LIST_PAGE.most, ...cursor };
      const { apiKeys, nextCursor } = await this.call('listApiKeys', { query });
      return { entries: apiKeys, nextCursor };
    }, MAX_API_KEYS);
  }

  /** Groups of the directory, or the account's own with `mine`; `most` of them at most. */
  groups(filter: { mine?: boolean; q?: string }, most: number): Promise<GroupEntry[]> {
    return readPages(async (cursor) => {
      const query = { ...filter, limit: Math.min(most, LIST_PAGE.most), ...cursor };
      const { groups, nextCursor } = await this.call('searchGroups', { query });
      return { entries: groups, nextCursor };
    }, most);
  }

  /** Envelopes waiting for a device, oldest first; while there are none, the relay waits for `wait` seconds. */
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

  /**
   * One call. Repeated with a new token if the first is refused: it may have expired, or the relay may have lost it.
   */
  async call<N extends EndpointName>(
    name: N,
    options: CallOptions<N>,
  ): Promise<ResponseOf<(typeof ENDPOINTS)[N]>> {
    try {
      return await this.#callWithToken(name, options);
    } catch (error) {
      // The relay has lowered its limits: fetch them again.
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
