import { expect, test } from 'vitest';
import { linkChanges } from '../../../../src/messaging/groups/link-changes.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { foldRoster } from '../../../../src/protocol/roster/fold.ts';
import type { RosterLink } from '../../../../src/protocol/roster/forms.ts';
import { pastEntryOf } from '../../../../src/protocol/roster/history.ts';
import { emptyRoster } from '../../../../src/protocol/roster/state.ts';
import {
  type Action,
  BEGINNING,
  contextOf,
  DAY,
  HOUR,
  RosterChain,
  rosterFixture,
} from '../../../support/rosters.ts';

const [ann, ben] = [rosterFixture('ann', 0x10), rosterFixture('ben', 0x20)];
const link = (n: number, expires = BEGINNING + DAY): RosterLink => ({
  key: Buffer.alloc(32, n).toString('base64url'),
  expires: encodeTime(expires),
});
const [one, two] = [link(1), link(2)];

interface Step {
  links?: RosterLink[];
  by?: typeof ann;
  at?: number;
  action?: Action;
}

/** The changes that a member reads at once, after an earlier state. */
function changesOf(earlier: Step[], steps: Step[]) {
  const chain = new RosterChain([ann, ben], ann)
    .add(ann, { kind: 'change', join: 'open' })
    .add(ben, { kind: 'join' });
  const add = ({ links = [], by = ann, at, action = { kind: 'change', links } }: Step) =>
    chain.add(by, action, at === undefined ? {} : { at });
  for (const step of earlier) add(step);
  const before = chain.state;
  for (const step of steps) add(step);
  const start = emptyRoster(chain.groupId);
  const { entries } = foldRoster(start, chain.entries, contextOf(chain.people, BEGINNING + 400 * DAY));
  return linkChanges(before, entries.map(pastEntryOf).toReversed());
}

const transfer: Step = { action: { kind: 'change', creator: ben.address, admins: [ann.address] } };

test.each<{ why: string; before?: Step[]; steps: Step[]; acts: string[] | null }>([
  { why: 'no entry', before: [{ links: [one] }], steps: [], acts: null },
  { why: 'the same links', before: [{ links: [one] }], steps: [{ links: [one] }], acts: null },
  { why: 'another field', steps: [{ action: { kind: 'change', name: 'Hikers' } }], acts: null },
  { why: 'a new one', steps: [{ links: [one] }], acts: ['made'] },
  { why: 'a canceled one', before: [{ links: [one] }], steps: [{ links: [] }], acts: ['canceled'] },
  {
    why: 'one in place of another',
    before: [{ links: [one] }],
    steps: [{ links: [two] }],
    acts: ['canceled', 'made'],
  },
  {
    why: 'one that was made and canceled meanwhile',
    steps: [{ links: [one] }, { links: [] }],
    acts: ['made', 'canceled'],
  },
  {
    why: 'many that were made and canceled',
    steps: [{ links: [one] }, { links: [] }, { links: [two] }, { links: [] }, { links: [one] }],
    acts: ['canceled', 'made'],
  },
  {
    why: 'a canceled one, and a later entry that is dated after its end',
    before: [{ links: [one] }],
    steps: [{ links: [] }, { action: { kind: 'change', name: 'Hikers' }, at: BEGINNING + 2 * DAY }],
    acts: ['canceled'],
  },
  {
    why: 'an expired one, removed with a new one',
    before: [{ links: [link(1, BEGINNING + HOUR)] }],
    steps: [{ links: [link(2, BEGINNING + 3 * DAY)], at: BEGINNING + 2 * HOUR }],
    acts: ['made'],
  },
  { why: 'a transfer', before: [{ links: [one] }], steps: [transfer], acts: null },
])('links between two reads: $why', ({ before = [], steps, acts }) => {
  expect(changesOf(before, steps)).toEqual(acts && { by: ann.address, acts });
});

test('links of a new creator are theirs, and those of the former one were not canceled', () => {
  expect(changesOf([{ links: [one] }], [transfer, { by: ben, links: [two] }])).toEqual({
    by: ben.address,
    acts: ['made'],
  });
});
