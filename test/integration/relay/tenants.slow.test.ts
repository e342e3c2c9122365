/**
 * People who share a relay: the data of one is neither shown to another nor changed by another.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '../../../src/protocol/endpoints.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { dumpDatabase } from '../../support/database-dump.ts';
import { type Choose, RECIPES } from '../../support/fuzz/recipes.ts';
import { Connection, encodeDraft, jsonOf, type WireAnswer } from '../../support/fuzz/request.ts';
import { newSession, newWorld, type Resident, type World } from '../../support/fuzz/world.ts';
import { ROOMY_QUOTAS, ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];
const RUNS = 1_000;

const relay = new TestRelay({
  limits: { rates: ROOMY_RATES, quotas: ROOMY_QUOTAS },
  memberInvitations: true,
});
let connection: Connection;
/** The accounts and data of consecutive calls. No call uses up data that another needs. */
let world: World;

beforeAll(async () => {
  await relay.start();
  connection = new Connection(relay.running.port);
  world = await newWorld(relay);
});
afterAll(async () => {
  connection.close();
  await relay[Symbol.asyncDispose]();
});

/**
 * Reports whether a call names someone's private data. Reading an open group is possible for everyone, and so is
 * admitting a waiting computer.
 */
function namesSomethingPrivate(name: EndpointName, ...parts: unknown[]): boolean {
  if (name === 'admitToGroup' || name === 'getNewDevice' || name === 'putLinkOffer') return false;
  // Its id is the permission (test/integration/relay/any-database/blobs.test.ts).
  if (name.includes('Blob')) return false;
  const fields = parts.flatMap((part) => Object.keys((part as object | undefined) ?? {}));
  return ['id', 'tokenId', 'deviceId', 'device'].some((field) => fields.includes(field));
}

test.each(NAMES.filter((name) => ENDPOINTS[name].access !== 'anyone'))(
  '%s works with the session of the account that it concerns, and with no credential of a stranger',
  async (name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    const [ann, cat] = [world.resident(0), world.resident(2)];
    const draft = await RECIPES[name](world, ann, () => 0);
    if (namesSomethingPrivate(name, draft.params, draft.query, draft.body)) {
      const before = dumpDatabase(relay.folder.path);
      for (const secret of [cat.person.token, cat.apiKey, world.groupOf(cat).token.secret]) {
        const { status, text } = await connection.send(encodeDraft(endpoint, draft, secret));
        expect([403, 404, 422], text).toContain(status);
      }
      expect(dumpDatabase(relay.folder.path)).toBe(before);
    }
    const token = draft.token ?? (await newSession(ann.person));
    const answer = await connection.send(encodeDraft(endpoint, draft, token));
    expect(endpoint.statuses, answer.text).toContain(answer.status);
    draft.done?.();
    world.learn(name, ann, draft.params ?? {}, jsonOf(answer));
  },
);

/** Values that only one person may read: ids and secrets of their credentials. */
class Secrets {
  readonly #ofResident = new Map<Resident, Set<string>>();

  constructor(world: World) {
    for (const resident of world.residents) {
      const { token, extraTokens } = world.groupOf(resident);
      const credentials = [token, ...extraTokens].flatMap(({ id, secret }) => [id, secret]);
      const own = [resident.person.token, resident.apiKey, ...resident.extraKeys, ...credentials];
      this.#ofResident.set(resident, new Set(own));
    }
  }

  /** Records the ids in an answer to its owner. */
  learn(name: EndpointName, owner: Resident, text: string): void {
    if (!['createSession', 'createApiKey', 'createToken'].includes(name)) return;
    const { id, secret, token } = JSON.parse(text);
    for (const value of [id, secret, token]) if (value) this.#ofResident.get(owner)?.add(value);
  }

  /** Values of all others. */
  hiddenFrom(caller: Resident): string[] {
    return [...this.#ofResident].flatMap(([owner, values]) => (owner === caller ? [] : [...values]));
  }
}

/** Any call of someone, about their own resources or those of others. */
async function anyCall(world: World, secrets: Secrets, choose: Choose): Promise<void> {
  const name = NAMES[choose(NAMES.length)] ?? 'getMe';
  // The calls that follow need the session and the account.
  if (name === 'deleteSession' || name === 'deleteAccount') return;
  const subject = world.resident(choose(4));
  const isOpen = ENDPOINTS[name].access === 'anyone';
  const caller = isOpen ? subject : world.resident(choose(4));
  const draft = await RECIPES[name](world, subject, choose);
  const own = [caller.person.token, caller.person.token, caller.apiKey, world.groupOf(caller).token.secret];
  const answer = await connection.send(encodeDraft(ENDPOINTS[name], draft, own[choose(4)] ?? null));
  expectNothingOfOthers(name, caller, secrets, answer);
  if (answer.status >= 400) return;
  secrets.learn(name, caller, answer.text);
  world.learn(name, caller, draft.params ?? {}, jsonOf(answer));
  if (caller === subject) draft.done?.();
}

function expectNothingOfOthers(
  name: EndpointName,
  caller: Resident,
  secrets: Secrets,
  { text }: WireAnswer,
): void {
  const envelopes: InboxEnvelope[] =
    name === 'getInbox' && text.includes('"envelopes":') ? JSON.parse(text).envelopes : [];
  for (const { toAddress } of envelopes) expect(toAddress).toBe(caller.person.address);
  // The members of a group see the id of a token that posts to it.
  const posting = new Set(envelopes.flatMap(({ bot }) => bot?.id ?? []));
  const seen = secrets.hiddenFrom(caller).filter((value) => text.includes(value) && !posting.has(value));
  expect(seen, `${name} showed ${text}`).toEqual([]);
}

test(`${RUNS.toLocaleString('en')} calls of four people, also about each other: no one sees credentials or mail of others`, async () => {
  const four = await newWorld(relay);
  const secrets = new Secrets(four);
  const property = fc.asyncProperty(fc.gen(), (gen) =>
    anyCall(four, secrets, (count) => (count > 1 ? gen(fc.nat, count - 1) : 0)),
  );
  await fc.assert(property, { numRuns: RUNS });
  const [ann, ben] = [four.resident(0), four.resident(1)];
  const hidden = secrets.hiddenFrom(ann).filter((value) => !/^(ses|sk_live|gtk_live)_/.test(value));
  expect(hidden.length).toBeGreaterThanOrEqual(9);
  // The id of a credential, which its owner is shown, opens nothing.
  for (const id of hidden.slice(0, 20)) await relay.refuse('unauthorized', 'getMe', { token: id });
  for (const { person } of [ann, ben]) await relay.call('getMe', { token: person.token });
});
