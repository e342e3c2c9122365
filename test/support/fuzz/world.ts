/**
 * People, groups and credentials of every kind at one relay, used by generated requests.
 */

import { randomBytes } from 'node:crypto';
import { ApiKeyEntitlement } from '../../../src/protocol/credentials.ts';
import type { EndpointName } from '../../../src/protocol/endpoints.ts';
import { newPerson, type Person, type TestDevice } from '../person.ts';
import type { TestRelay } from '../relay.ts';
import { TestRoster } from '../relay-rosters.ts';

export interface Resident {
  person: Person;
  handle: string;
  /** An API key with all entitlements. It is never revoked. */
  apiKey: string;
  /** Ids of API keys that may be revoked. */
  extraKeys: string[];
  /** Ids of envelopes that waited when the inbox was last read. */
  unread: string[];
  /** A computer that waits to be linked. */
  waiting: { params: { deviceId: string }; body: { key: string; name: string } } | null;
  /** A blob that is being uploaded. */
  blob: WorldBlob | null;
  /** A second device, while there is one. */
  second: TestDevice | null;
}

/** A sealed file of one part. */
export interface WorldBlob {
  id: string;
  bytes: Buffer;
}

export interface Token {
  id: string;
  secret: string;
}

export interface WorldGroup {
  id: string;
  roster: TestRoster;
  creator: Resident;
  /** Created with the group. Only the end of its group revokes it. */
  token: Token;
  /** Tokens that may be revoked. */
  extraTokens: Token[];
}

/** Number of remembered groups: the first ones, and the newest. */
const MAX_GROUPS = 10;

export class World {
  readonly relay: TestRelay;
  readonly residents: Resident[];
  readonly groups: WorldGroup[];
  /** Id of a blob that can be read; null if there is none. */
  finished: string | null = null;
  /** The last success by call and caller, for repetition. */
  readonly #last = new Map<string, unknown>();

  constructor(relay: TestRelay, residents: Resident[], groups: WorldGroup[]) {
    this.relay = relay;
    this.residents = residents;
    this.groups = groups;
  }

  resident(index: number): Resident {
    const resident = this.residents[index % this.residents.length];
    if (!resident) throw new Error('nobody lives here');
    return resident;
  }

  groupOf(creator: Resident): WorldGroup {
    const group = this.groups.find((each) => each.creator === creator);
    if (!group) throw new Error('this resident has made no group');
    return group;
  }

  /** The last successful request of a call and caller. */
  lastOf<Draft>(name: EndpointName, caller: Resident): Draft | null {
    return (this.#last.get(`${name} ${caller.person.address}`) as Draft | undefined) ?? null;
  }

  remember(name: EndpointName, caller: Resident, draft: unknown): void {
    this.#last.set(`${name} ${caller.person.address}`, draft);
  }

  /** Records the changes of a successful call for later requests. */
  learn(name: EndpointName, caller: Resident, params: Record<string, string>, body: unknown): void {
    const answer = body as never;
    const { person } = caller;
    if (name === 'putHandle') caller.handle = (answer as { handle: string }).handle;
    if (name === 'createApiKey') caller.extraKeys.push((answer as Token).id);
    if (name === 'revokeApiKey') caller.extraKeys = caller.extraKeys.filter((id) => id !== params.id);
    if (name === 'putDevices') person.list = (answer as { deviceList: Person['list'] }).deviceList;
    if (name === 'getInbox') {
      caller.unread = (answer as { envelopes: { id: string }[] }).envelopes.map(({ id }) => id);
    }
    if (name === 'acknowledge') caller.unread = [];
    if (name === 'createToken') {
      this.groups.find(({ id }) => id === params.id)?.extraTokens.push(answer as Token);
    }
    if (name === 'revokeToken') {
      const group = this.groups.find(({ id }) => id === params.id);
      if (group) group.extraTokens = group.extraTokens.filter(({ id }) => id !== params.tokenId);
    }
  }

  /** Records a group that a resident has created. */
  adopt(creator: Resident, roster: TestRoster): void {
    if (this.groups.length >= MAX_GROUPS) this.groups.splice(this.residents.length, 1);
    const { token } = this.groupOf(creator);
    this.groups.push({ id: roster.id, roster, creator, token, extraTokens: [] });
  }
}

async function newResident(relay: TestRelay): Promise<Resident> {
  const person = await newPerson(relay);
  const { token } = person;
  const handle = `p${randomBytes(5).toString('hex')}`;
  await relay.call('putHandle', { token, body: { handle } });
  await relay.call('putDeveloperAccess', { token, body: { enabled: true } });
  const key = await relay.call('createApiKey', {
    token,
    body: { name: 'script', entitlements: [...ApiKeyEntitlement.options] },
  });
  const spare = await relay.call('createApiKey', { token, body: { name: 'spare' } });
  const extraKeys = [spare.body.id];
  return {
    person,
    handle,
    apiKey: key.body.secret,
    extraKeys,
    unread: [],
    waiting: null,
    blob: null,
    second: null,
  };
}

/**
 * Four people, each with a device, a handle, an API key and a group with a token.
 * The second one is also in the first one's group; the others are alone in theirs.
 */
export async function newWorld(relay: TestRelay): Promise<World> {
  const residents: Resident[] = [];
  for (let index = 0; index < 4; index++) residents.push(await newResident(relay));
  const groups: WorldGroup[] = [];
  for (const [index, creator] of residents.entries()) {
    const others = residents.slice(index + 1, index === 0 ? 2 : index + 1).map(({ person }) => person);
    const roster = await TestRoster.begin(creator.person, {}, others);
    const { params, id } = roster;
    const createToken = async (name: string) =>
      (await relay.call('createToken', { token: creator.person.token, params, body: { name } })).body;
    groups.push({
      id,
      roster,
      creator,
      token: await createToken('bot'),
      extraTokens: [await createToken('spare')],
    });
  }
  return new World(relay, residents, groups);
}

/**
 * Uses every API key and token once, so that the time of their first use is not written during another call.
 */
export async function tryCredentials({ relay, residents, groups }: World): Promise<void> {
  const secrets = [...residents.map(({ apiKey }) => apiKey), ...groups.map(({ token }) => token.secret)];
  for (const token of secrets) await relay.call('getMe', { token });
  // Writes are ordered: when this one is done, so are the others.
  const { token } = residents[0]?.person ?? {};
  if (token !== undefined) await relay.call('putProfile', { token, body: { displayName: null } });
}

/** Another session of someone. */
export async function newSession(person: Person): Promise<string> {
  const body = await person.signedChallenge();
  return (await person.relay.call('createSession', { body })).body.token;
}
