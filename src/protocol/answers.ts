/**
 * Decides whether an answer belongs to its call. An answer proves nothing. But one that names another group, address,
 * handle, envelope or link than its call is a mistake or a lie, and is discarded. The table has a rule for each endpoint
 * whose answer repeats a part of the call. The bytes of a file are checked against its digest (./blob/stream.ts).
 */
import { partsOf } from './blob/layout.ts';
import { type CredentialType, credentialTypeOf, SHOWN_PREFIX_LENGTH } from './credentials.ts';
import { decodeBase64Url } from './encoding.ts';
import type { ENDPOINTS, EndpointName, ParamsOf, QueryOf, RequestOf, ResponseOf } from './endpoints.ts';
import { envelopeId } from './envelope-id.ts';
import { areHistoriesOf, isHistoryOf } from './key-history.ts';
import { INBOX_PAGE, LIST_PAGE } from './limits.ts';
import { isDeviceOfCode } from './linking/offer.ts';
import { foldLetters, partThatFits, toGroupSearch, toNameText } from './name-search.ts';
import { entryHash, groupIdOf, openEntry } from './roster/entry.ts';
import type { RosterEntry } from './roster/forms.ts';
import type { AddressKeys, HandleRecord } from './schemas/directory.ts';
import type { Envelope, SendResult } from './schemas/envelopes.ts';
import type { GroupView } from './schemas/groups.ts';
import type { Me } from './schemas/me.ts';
import { ROSTER_PAGE } from './schemas/rosters.ts';

/** The caller, as far as the client knows it before the answer. */
export interface Caller {
  /** Wire address; null for a secret of an unknown owner. */
  address: string | null;
  /** The secret of the call; null for a public call. */
  token: string | null;
}

type RowOf<N extends EndpointName> = (typeof ENDPOINTS)[N];

/** The facts of a call. */
export interface CallFacts<N extends EndpointName> {
  params: ParamsOf<RowOf<N>>;
  query: QueryOf<RowOf<N>>;
  body: RequestOf<RowOf<N>>;
  caller: Caller;
}

type Rule<N extends EndpointName> = (answer: ResponseOf<RowOf<N>>, call: CallFacts<N>) => boolean;

/** Calls whose answers have a body that repeats a part of the call. */
type RepeatingName = {
  [N in EndpointName]: RowOf<N> extends { repeatsNothing: true }
    ? never
    : RowOf<N> extends { response: unknown }
      ? N
      : never;
}[EndpointName];

const ANSWERS: { readonly [N in RepeatingName]: Rule<N> } = {
  createSession: ({ address, token }, { body }) =>
    address === body.address && credentialTypeOf(token) === 'session',
  getMe: isCaller,
  createInvitation: ({ uses, expires }, { body }) => uses === body.uses && expires === body.expires,
  putHandle: (me, call) => isCaller(me, call) && me.handle === call.body.handle,
  putProfile: (me, call) => isCaller(me, call) && me.displayName === call.body.displayName,
  putDevices: ({ address, deviceList }, { body, caller }) =>
    (caller.address === null || address === caller.address) &&
    deviceList.sequence === body.deviceList.sequence &&
    deviceList.signature === body.deviceList.signature,
  putSealKey: (keys, { params, body, caller }) =>
    isAbout(keys, caller.address) &&
    keys.deviceList.devices.some(({ deviceId }) => deviceId === params.deviceId) &&
    keys.sealKeys.every(
      ({ deviceId, sequence }) => deviceId !== params.deviceId || sequence >= body.sealKey.sequence,
    ),
  putDeveloperAccess: (me, call) => isCaller(me, call) && me.developerApi === call.body.enabled,
  createApiKey: (key, { body }) =>
    key.name === body.name &&
    isSecretOf('api_key', key) &&
    key.expiresAt === (body.expiresAt ?? null) &&
    (!body.entitlements || isSameSet(key.entitlements, body.entitlements)),
  listApiKeys: ({ apiKeys }, { query }) => apiKeys.length <= (query.limit ?? LIST_PAGE.default),
  getHandle: (record, { params }) => record.handle === withoutAt(params.handle),
  searchHandles: ({ handles }, { query }) =>
    handles.length <= (query.limit ?? LIST_PAGE.default) &&
    handles.every((record) => isFound(record, query.q ?? '', query.verified)),
  getKeys: (keys, { params }) => isAbout(keys, params.address),
  getKeyHistory: (history, { params, query }) =>
    isHistoryOf(history, { address: params.address, after: query.after ?? 0 }),
  getKeyHistories: (answer, { body }) => areHistoriesOf(answer, body.wants),
  getPqKeys: ({ keys }, { body }) => Object.keys(keys).every((digest) => body.digests.includes(digest)),
  sendEnvelopes: (answer, { body, caller }) => {
    const isBatch = 'envelopes' in body;
    if ('results' in answer) {
      return isBatch && areResultsOf(answer.results, body.envelopes, caller.address);
    }
    return !isBatch && isIdOf(answer.id, caller.address, body);
  },
  beginBlob: ({ parts }, { body }) =>
    parts.every((part, index) => part > (parts[index - 1] ?? -1) && part < partsOf(body.size).length),
  // Envelopes are judged one by one when they are opened, so that a false one does not block the others.
  getInbox: ({ device, envelopes }, { query }) =>
    device === query.device && envelopes.length <= (query.limit ?? INBOX_PAGE.default),
  acknowledge: ({ acknowledged }, { body }) => acknowledged <= body.ids.length,
  putNewDevice: ({ key, name }, { body }) => key === body.key && name === body.name,
  getNewDevice: (waiting, { params }) => isDeviceOfCode(decodeBase64Url(params.deviceId), waiting),
  putLinkOffer: ({ address, list }, { body }) =>
    address === body.address && list.sequence === body.list.sequence && list.hash === body.list.hash,
  searchGroups: ({ groups }, { query }) =>
    groups.length <= (query.limit ?? LIST_PAGE.default) &&
    groups.every(({ name }) => foldLetters(name).includes(toGroupSearch(query.q ?? ''))),
  createGroup: (view, { body }) => isWhole(view) && view.id === groupIdIn(body.entries[0]),
  // An entry belongs to the same chain if it folds; the first entry names its group.
  getRoster: ({ entries, more }, { params, query }) =>
    ((query.after ?? 0) > 0 || entries.length === 0 || groupIdIn(entries[0]) === params.id) &&
    entries.length <= (query.limit ?? ROSTER_PAGE.default) &&
    (entries.length > 0 || !more) &&
    entries.every((entry, index) => epochIn(entry) === (query.after ?? 0) + index + 1),
  postRosterEntry: ({ epoch, hash }, { body: { entry } }) =>
    epoch === epochIn(entry) && hash === entryHash(entry),
  getGroup: (view, { params }) => isWhole(view) && view.id === params.id,
  sendGroupEnvelopes: ({ accepted, results, missing, stale }, { body, caller }) => {
    const keys = new Set(body.envelopes.map(({ recipientDeviceKey }) => recipientDeviceKey));
    return (
      areResultsOf(results, body.envelopes, caller.address) &&
      accepted === results.filter(({ status }) => status !== 'rejected').length &&
      stale.every((key) => keys.has(key)) &&
      !missing.some((key) => keys.has(key))
    );
  },
  createToken: (token, { body }) => token.name === body.name && isSecretOf('group_token', token),
};

/** Reports whether an answer belongs to this call. Its form is already checked. */
export function isAnswerTo<N extends EndpointName>(
  name: N,
  call: CallFacts<N>,
  answer: ResponseOf<RowOf<N>>,
): boolean {
  const rules: { readonly [Name in EndpointName]?: Rule<Name> } = ANSWERS;
  return rules[name]?.(answer, call) ?? true;
}

/** The answer describes the credential in its stored form. */
function isCaller({ address, credential }: Me, { caller }: { caller: Caller }): boolean {
  if (caller.address !== null && address !== caller.address) return false;
  const type = credentialTypeOf(caller.token ?? '');
  if (caller.token === null || type === null) return true;
  const prefix = type === 'session' ? null : caller.token.slice(0, SHOWN_PREFIX_LENGTH);
  const hasGroup = credential.groupId !== undefined;
  return credential.type === type && credential.prefix === prefix && hasGroup === (type === 'group_token');
}

function isAbout(keys: AddressKeys, address: string | null): boolean {
  if (address !== null && keys.address !== address) return false;
  return !keys.profile || keys.profile.address === keys.address;
}

function isSecretOf(type: CredentialType, { prefix, secret }: { prefix: string; secret: string }): boolean {
  return credentialTypeOf(secret) === type && prefix === secret.slice(0, SHOWN_PREFIX_LENGTH);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const set = new Set(one);
  return set.size === new Set(other).size && other.every((each) => set.has(each));
}

/** Short texts are matched at the beginning only. */
function isFound({ handle, displayName, verified }: HandleRecord, text: string, only?: boolean): boolean {
  const wanted = withoutAt(text).toLowerCase();
  const name = toNameText(text);
  const isCalled = () => name !== '' && partThatFits(displayName ?? '', name) !== undefined;
  const matches = wanted.length < 3 ? handle.startsWith(wanted) : handle.includes(wanted);
  return (matches || (!text.startsWith('@') && isCalled())) && (only === undefined || verified === only);
}

function areResultsOf(
  results: readonly SendResult[],
  envelopes: readonly Envelope[],
  from: string | null,
): boolean {
  return (
    results.length === envelopes.length &&
    results.every((result, index) => {
      const envelope = envelopes[index];
      return result.status === 'rejected' || (envelope && isIdOf(result.id, from, envelope));
    })
  );
}

/** @param from null for an unknown sender: then the id cannot be checked */
function isIdOf(id: string, from: string | null, envelope: Envelope): boolean {
  return from === null || id === envelopeId(from, envelope);
}

/** A view has no duplicates, and no profiles of addresses outside its members. */
function isWhole({ members, memberProfiles }: GroupView): boolean {
  return (
    new Set(members).size === members.length &&
    Object.entries(memberProfiles).every(([address, profile]) => profile.address === address)
  );
}

/** An entry's own number; null for an invalid entry. */
function epochIn(entry: RosterEntry): number | null {
  return openEntry(entry)?.json.epoch ?? null;
}

function groupIdIn(entry: RosterEntry | undefined): string | null {
  return entry ? groupIdOf(decodeBase64Url(entry.body)) : null;
}

function withoutAt(text: string): string {
  return text.startsWith('@') ? text.slice(1) : text;
}
