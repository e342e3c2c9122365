/**
 * The relay judges an entry by the part of a group that it can change, and stores the resulting state. Both must equal
 * the fold of the whole chain.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeTime, decodeUtf8 } from '../../../src/protocol/encoding.ts';
import { DEFAULT_QUOTAS } from '../../../src/protocol/limits.ts';
import { openEntry } from '../../../src/protocol/roster/entry.ts';
import type { RosterEntry } from '../../../src/protocol/roster/forms.ts';
import { judgePost, type PostVerdict } from '../../../src/protocol/roster/post.ts';
import { membersOf, type RosterState } from '../../../src/protocol/roster/state.ts';
import type { GroupView } from '../../../src/protocol/schemas/groups.ts';
import { ProblemError } from '../../../src/relay/problems/problem-error.ts';
import { AccountGone } from '../../../src/relay/store/records.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { begin, people as drawn, mode, play, steps } from '../../support/roster-drawing.ts';
import { RosterKeeper } from '../../support/roster-keeper.ts';
import { BEGINNING, MINUTE, type RosterChain, type RosterFixture } from '../../support/rosters.ts';
import { runs } from '../../support/runs.ts';
import { rosterCases } from '../../support/waxwing-vectors/roster-cases.ts';
import { type ChainName, chains, people } from '../../support/waxwing-vectors/roster-chains.ts';
import { postCases } from '../../support/waxwing-vectors/roster-relay.ts';

const outcomeOf = (verdict: PostVerdict): string =>
  verdict.verdict === 'refused' ? verdict.reason : verdict.verdict;

const byOf = (entry: RosterEntry): string => openEntry(entry)?.json.by ?? '';

/** Lists that an entry and its ticket name, by address. */
function listsIn(entry: RosterEntry): Map<string, number> {
  const opened = openEntry(entry);
  if (!opened) return new Map();
  const { by, list, ticket } = JSON.parse(decodeUtf8(opened.bytes));
  return new Map([[by, list], ...(ticket ? [[ticket.by, ticket.list] as const] : [])]);
}

/** A store that keeps a chain of the vectors. */
async function keep(chain: RosterChain): Promise<RosterKeeper> {
  const keeper = await RosterKeeper.open(people, BEGINNING);
  const [first, ...rest] = chain.entries;
  if (!first) throw new Error('a chain has entries');
  expect(await keeper.begin([first], byOf(first))).toBe('made');
  for (const entry of rest) {
    for (const [address, list] of listsIn(entry)) await keeper.publish(address, list);
    keeper.now = decodeTime(openEntry(entry)?.json.issued ?? '');
    expect(await keeper.append(chain.groupId, entry)).toMatchObject({ status: 'appended', ended: false });
  }
  return keeper;
}

async function verdictOf(keeper: RosterKeeper, groupId: string, entry: RosterEntry): Promise<string> {
  try {
    return outcomeOf(await keeper.verdict(groupId, entry));
  } catch (error) {
    // A malformed entry is refused before the group is looked up.
    if (error instanceof ProblemError) return error.reason;
    throw error;
  }
}

const allCases = [...Object.values(rosterCases()).flat(), ...postCases()];
const names = Object.keys(chains) as ChainName[];

test.each(names)('after the chain %s, the relay stores entries as folded', async (name) => {
  const { chain } = chains[name];
  await using keeper = await keep(chain);
  expect(await keeper.state(chain.groupId)).toEqual(chain.state);

  const cases = allCases.filter(({ after }) => after === name);
  const isLater = ({ entry }: { entry: RosterEntry }) =>
    [...listsIn(entry).values()].some((list) => list > 1);
  for (const { why, now, entry } of [...cases.filter((each) => !isLater(each)), ...cases.filter(isLater)]) {
    for (const [address, list] of listsIn(entry)) if (list === 2) await keeper.publish(address, list);
    keeper.now = decodeTime(now);
    const whole = judgePost(chain.state, entry, (epoch) => chain.hashAt(epoch), keeper.context());
    expect(await verdictOf(keeper, chain.groupId, entry), why).toBe(outcomeOf(whole));
  }
});

test('a group cannot be created by an account deleted meanwhile', async () => {
  const [name] = names;
  if (!name) throw new Error('there are chains');
  const { chain } = chains[name];
  await using keeper = await RosterKeeper.open(people, BEGINNING);
  const [first] = chain.entries;
  if (!first) throw new Error('a chain has entries');
  await keeper.endAccount(byOf(first));
  await expect(keeper.begin([first], byOf(first))).rejects.toThrow(AccountGone);
  expect(await keeper.state(chain.groupId)).toBeNull();
});

const reached = new Map<string, number>();

test('after any sequence of attempts the relay has the state of the whole chain, and shows its members', {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  await fc.assert(
    fc.asyncProperty(mode, steps, async (join, tries) => {
      const drawing = begin(join);
      const { chain } = drawing;
      await using keeper = await RosterKeeper.open(drawn, BEGINNING);
      await keeper.begin(chain.entries, byOf(chain.entries[0] as RosterEntry));
      for (const each of tries) {
        const played = play(drawing, each);
        if (!played) continue;
        const { entry, verdict } = played;
        keeper.now = decodeTime(openEntry(entry)?.json.issued ?? '');
        if (verdict === 'yes') {
          for (const [address, list] of listsIn(entry)) if (list === 2) await keeper.publish(address, list);
        }
        const whole = judgePost(chain.state, entry, (epoch) => chain.hashAt(epoch), keeper.context());
        const answer = await verdictOf(keeper, chain.groupId, entry);
        expect(answer).toBe(outcomeOf(whole));
        expect(answer === 'taken').toBe(verdict === 'yes');
        reached.set(answer, (reached.get(answer) ?? 0) + 1);
        if (answer !== 'taken') continue;
        const outcome = await keeper.append(chain.groupId, entry);
        chain.append(entry);
        const ended = chain.state.memberCount === 0;
        expect(outcome).toMatchObject({ status: 'appended', ended });
        expect(await keeper.state(chain.groupId)).toEqual(ended ? null : chain.state);
        if (ended) return;
        await expectView(keeper, chain.state);
      }
    }),
    { numRuns: runs({ quick: 3, all: 8, nightly: 500 }) },
  );
  // Either of two random runs may be short.
  expect(reached.get('taken')).toBeGreaterThan(runs({ quick: 0, all: 20, nightly: 20 }));
});

async function expectView({ store, now }: RosterKeeper, state: RosterState): Promise<void> {
  const group = await store.findGroup(state.groupId);
  const bytes = group && (await store.groupAsJson(group.key, now, 1));
  const view: GroupView = JSON.parse(decodeUtf8(bytes ?? new Uint8Array()));
  const { name, description, creator, join, memberCount, epoch, hash } = state;
  expect(view).toMatchObject({ name, description, creator, join, memberCount, roster: { epoch, hash } });
  expect(view.members).toEqual(membersOf(state));
}

test('one of several entries for one place, judged by the same state, is appended', async () => {
  const { chain } = chains.full;
  await using keeper = await keep(chain);
  keeper.now = chain.state.issued + MINUTE;
  const [ann, ben] = people as [RosterFixture, RosterFixture];
  const entries = [
    chain.make(ann, { kind: 'change', name: 'One' }),
    chain.make(ben, { kind: 'change', name: 'Two' }),
    chain.make(ben, { kind: 'leave' }),
  ];
  const steps = await Promise.all(entries.map((entry) => keeper.step(chain.groupId, entry)));
  const outcomes = await Promise.all(steps.map((step) => keeper.store.appendEntry(step, DEFAULT_QUOTAS)));
  const statuses = outcomes.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(['appended', 'moved', 'moved']);
  const appended = steps[statuses.indexOf('appended')];
  expect((await keeper.state(chain.groupId))?.hash).toBe(appended?.folded.hash);
});

test('an entry judged before its signer published another device list is not appended', async () => {
  const { chain } = chains.full;
  await using keeper = await keep(chain);
  keeper.now = chain.state.issued + MINUTE;
  const [ann] = people as [RosterFixture];
  const entry = chain.make(ann, { kind: 'change', name: 'One' });
  const step = await keeper.step(chain.groupId, entry);
  await keeper.publish(ann.address, 2);
  expect(await keeper.store.appendEntry(step, DEFAULT_QUOTAS)).toEqual({ status: 'moved' });
  expect(await keeper.verdict(chain.groupId, entry)).toEqual({
    verdict: 'refused',
    reason: 'list_not_newest',
  });
});
