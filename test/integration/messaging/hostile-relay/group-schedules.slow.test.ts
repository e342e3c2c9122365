/**
 * People who create, change and use a group while their relay gives any answer to each call: the truth, an older answer,
 * one about another group, a refusal before or after the action, or none. The invariants are true after
 * every step, and once the relay is honest everything continues.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure, failedWith } from '../../../../src/base/failure.ts';
import { Identity, RelayClient, type Ticket } from '../../../../src/client/index.ts';
import { arrivalOf } from '../../../../src/protocol/roster/history.ts';
import { isMember, membersOf, personOf } from '../../../../src/protocol/roster/state.ts';
import { HostileRelay, type Passing } from '../../../support/hostile-relay/proxy.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { runs } from '../../../support/runs.ts';

/** Number of schedules: 2,000 for an hour. */
const numRuns = runs({ quick: 2, all: 12, nightly: 200 });
const seed = Number(process.env.WAXWING_HOSTILE_SEED ?? 20_261_122);
/** Number of calls that one action of a person may cost. */
const MAX_CALLS = 120;

const NAMES = ['ann', 'ben', 'cat'] as const;
const ACTS = [
  'send',
  'read',
  'join',
  'leave',
  'remove',
  'invite',
  'use',
  'transfer',
  'rename',
  'look',
] as const;
type Act = (typeof ACTS)[number];
interface Step {
  /** The actor and the target. */
  who: number;
  whom: number;
  act: Act;
  /** True if the next step begins before this one has ended. */
  isHasty: boolean;
}

const step = fc.record<Step>({
  who: fc.nat(2),
  whom: fc.nat(2),
  act: fc.constantFrom(...ACTS, 'send', 'send', 'read', 'join'),
  isHasty: fc.boolean(),
});

const REFUSALS = [
  [409, 'roster_conflict'],
  [422, 'roster_refused'],
  [403, 'not_a_member'],
  [403, 'wrong_password'],
  [404, 'not_found'],
  [429, 'rate_limited'],
  [500, 'internal'],
] as const;

interface Person {
  address: string;
  client: RelayClient;
  identity: Identity;
  tickets: Ticket[];
  texts: string[];
}

interface Sent {
  text: string;
  by: Person;
  /** State of the chain when the sender sealed it. */
  epoch: number;
  to: string[];
}

let hostile: HostileRelay;
let runCount = 0;
const people: Person[] = [];
beforeAll(async () => {
  hostile = await HostileRelay.start();
});

/** New people from here on: a relay limits the changes of one account per day. */
async function replacePeople(): Promise<void> {
  for (const { client } of people.splice(0)) client.close();
  for (const name of NAMES) {
    const identity = Identity.create();
    await identity.register(hostile.url, { handle: `${name}${runCount}`, allowUnsigned: [] });
    const client = new RelayClient({ identity });
    people.push({ address: identity.address, client, identity, tickets: [], texts: [] });
  }
}
afterAll(async () => {
  for (const { client } of people) client.close();
  await hostile[Symbol.asyncDispose]();
});

/** The same numbers from 0 up to 1 for the same seed. */
function randomOf(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Earlier answers, by path without the query. */
const before = new Map<string, unknown[]>();

/** Lies from now on, differently in each call. */
function lieBy(random: () => number): void {
  const isOfGroup = (path: string) => path.includes('/groups/') || path.includes('/keys/');
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const refuse = () => {
    const [status, code] = pick(REFUSALS) ?? REFUSALS[0];
    const body = {
      type: 'about:blank',
      title: '',
      status,
      code,
      reason: 'wrong_epoch',
      detail: '',
      requestId: 'r',
    };
    return { status, body };
  };
  hostile.babble(
    (path, method) => method === 'POST' && isOfGroup(path) && random() < 0.12,
    (request, response) => {
      if (random() < 0.3) return request.socket.destroy();
      const { status, body } = refuse();
      response.writeHead(status, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify(body));
    },
  );
  hostile.lie((passing) => {
    const { method, path, status, body } = passing;
    const name = `${method} ${path.replace(/\?.*/, '')}`;
    const older = before.get(name) ?? [];
    if (status < 400 && method === 'GET') before.set(name, [...older, body].slice(-8));
    return isOfGroup(path) || path.includes('/inbox') ? answer(passing, name, older) : undefined;
  });

  function answer(passing: Passing, name: string, older: readonly unknown[]): unknown {
    const { method, path } = passing;
    const chance = random();
    if (chance < 0.6) return undefined;
    if (path.includes('/inbox')) {
      // A relay can withhold mail forever in this way; here it does so only for a while.
      if (method === 'GET' && chance < 0.7) return { ...(passing.body as object), envelopes: [] };
      passing.isLost = chance > 0.95;
      return undefined;
    }
    if (method === 'GET' && chance < 0.72) return pick(older);
    // Earlier members with the newest entry.
    if (method === 'GET' && chance < 0.75 && passing.status === 200 && !path.includes('roster')) {
      const { roster } = passing.body as { roster?: unknown };
      return roster ? { ...(pick(older) as object), roster } : undefined;
    }
    if (method === 'GET' && chance < 0.8) {
      const others = [...before].filter(
        ([each]) => each !== name && each.split('/').length === name.split('/').length,
      );
      return pick(pick(others)?.[1] ?? []);
    }
    if (chance < 0.85) {
      passing.isLost = true;
      return undefined;
    }
    if (method === 'POST' && chance < 0.95) {
      const { status, body } = refuse();
      passing.status = status;
      return body;
    }
    return undefined;
  }
}

/** Runs one schedule in its own group. */
async function run(steps: readonly Step[], start: number): Promise<void> {
  const tag = runCount++;
  if (tag % 200 === 0) await replacePeople();
  const [owner] = people as [Person, ...Person[]];
  const sent: Sent[] = [];
  const leavers = new Set<Person>();
  before.clear();
  for (const person of people) {
    person.texts = [];
    person.tickets = [];
  }
  const group = await owner.client.createGroup('Herons', { open: true });
  const { id } = group;
  for (const { client } of people.slice(1)) await client.joinGroup(id);
  const chainOf = ({ identity }: Person) => identity.journal.chains.find(id)?.state ?? null;
  const seen = new Map<Person, { epoch: number; hash: string | null }>();

  /** No device returns to an earlier state or loses an entry. */
  function checkChains(): void {
    for (const person of people) {
      const { journal } = person.identity;
      const state = chainOf(person);
      const last = seen.get(person);
      if (last && state) {
        expect(state.epoch).toBeGreaterThanOrEqual(last.epoch);
        expect(journal.chains.hashAt(id, last.epoch)).toBe(last.hash);
      }
      if (state) seen.set(person, { epoch: state.epoch, hash: state.hash });
    }
  }

  /** Recipients of the messages that a person posted since a number of requests. */
  function recipientsSince(count: number, { identity }: Person): Set<string> {
    const posts = hostile.requests
      .slice(count)
      .filter(
        ({ path, credential }) => path.endsWith(`/groups/${id}/envelopes`) && credential === identity.apiKey,
      );
    type Batch = { envelopes: { toAddress: string }[] };
    return new Set(
      posts.flatMap(({ body }) => (JSON.parse(body) as Batch).envelopes.map((each) => each.toAddress)),
    );
  }

  const DO: Record<Act, (who: Person, whom: Person) => Promise<unknown>> = {
    async send(who) {
      const text = `${tag} ${sent.length} ${who.address}`;
      const members = chainOf(who);
      const message: Sent = { text, by: who, epoch: 0, to: [] };
      sent.push(message);
      await who.client.sendToGroup(id, text);
      const known = chainOf(who);
      message.epoch = known?.epoch ?? 0;
      message.to = known && members ? membersOf(known).filter((address) => isMember(members, address)) : [];
    },
    async read(who) {
      for await (const { text } of who.client.messages({ follow: false }))
        if (text?.startsWith(`${tag} `)) who.texts.push(text);
    },
    join: (who) => who.client.joinGroup(id),
    leave(who) {
      leavers.add(who);
      return who.client.leaveGroup(id);
    },
    remove: (who, whom) => who.client.removeMembers(id, whom.address),
    async invite(who, whom) {
      const { ticket } = await who.client.inviteToGroup(id, whom.address);
      whom.tickets.push(ticket);
    },
    async use(who) {
      const ticket = who.tickets.at(-1);
      if (ticket) await who.client.joinGroup(id, { ticket });
    },
    transfer: (who, whom) => who.client.changeGroup(id, { creator: whom.address }),
    rename: (who) => who.client.changeGroup(id, { name: 'Egrets' }),
    look: (who) => who.client.group(id),
  };

  lieBy(randomOf(start));
  let under: Promise<unknown>[] = [];
  let count = hostile.requests.length;
  let atStart = new Map(people.map((each) => [each, chainOf(each)]));
  for (const { who, whom, act, isHasty } of steps) {
    const [one, other] = [people[who], people[whom]] as [Person, Person];
    under.push(
      DO[act](one, other).catch((error: unknown) => {
        // Every failure has an expected reason.
        if (!(error instanceof Failure)) throw error;
      }),
    );
    if (isHasty && under.length < 3) continue;
    await Promise.all(under);
    expect(hostile.requests.length - count, `calls for ${under.length} steps, the last: ${act}`).toBeLessThan(
      MAX_CALLS * under.length,
    );
    checkChains();
    for (const person of people) {
      // Judged by the sender's own chain, at that time and as extended meanwhile.
      const then = atStart.get(person) ?? null;
      const came = person.identity.journal.chains.after(id, then?.epoch ?? 0);
      const readers = [...(then ? membersOf(then) : []), ...came.map((entry) => arrivalOf(entry))];
      for (const to of recipientsSince(count, person)) expect(readers).toContain(to);
    }
    under = [];
    count = hostile.requests.length;
    atStart = new Map(people.map((each) => [each, chainOf(each)]));
  }
  await Promise.all(under);
  checkChains();

  hostile.answerTruthfully();
  for (const person of people) {
    await person.client.group(id).catch(() => undefined);
  }
  for (const person of people) await DO.read(person, person);
  for (const person of people) await DO.read(person, person);
  checkChains();
  const longest = people
    .map((each) => chainOf(each))
    .reduce((most, state) => (state && state.epoch > (most?.epoch ?? 0) ? state : most), null);
  for (const person of people) {
    expect(new Set(person.texts).size, 'each text comes once').toBe(person.texts.length);
    for (const text of person.texts) expect(sent.map((each) => each.text)).toContain(text);
    const since = (longest && personOf(longest, person.address)?.since) ?? null;
    if (since === null) continue;
    const shown = await person.client.group(id).catch((error: unknown) => {
      // They were the last to leave and missed the answer of the relay: the group is deleted.
      if (leavers.has(person) && failedWith(error, 'not_found')) return null;
      throw error;
    });
    if (!shown) continue;
    expect(shown.problem, 'an honest relay is found honest').toBeNull();
    for (const { text, by, epoch, to } of sent) {
      if (by !== person && to.includes(person.address) && since <= epoch)
        expect(person.texts).toContain(text);
    }
  }
  // The number of groups of one person is limited.
  for (const { client } of people) await client.leaveGroup(id).catch(() => undefined);
}

test(
  'with any answers of a relay, groups only advance, only members read, and no honest message is lost or repeated',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), fc.nat(), (steps, start) =>
        run(steps, start),
      ),
      { numRuns, seed, endOnFailure: true },
    );
  },
  LONG_TEST_LIMIT,
);
