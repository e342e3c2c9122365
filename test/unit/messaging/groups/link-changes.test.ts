import { expect, test } from 'vitest';
import { linkChanges } from '../../../../src/messaging/groups/link-changes.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { emptyRoster, type RosterState } from '../../../../src/protocol/roster/state.ts';

const [ANN, BEN] = ['0xann', '0xben'];
const NOW = Date.UTC(2026, 0, 1);
const link = (key: string, expires = NOW + 1) => ({ key, expires: encodeTime(expires) });
const state = (
  links: RosterState['links'],
  { creator = ANN, issued = NOW }: { creator?: string | null; issued?: number } = {},
): RosterState => ({ ...emptyRoster('group'), epoch: 3, creator, issued, links });
const [one, two] = [link('one'), link('two')];

test.each([
  { why: 'the same', before: state([one]), after: state([one]), is: null },
  { why: 'a new one', before: state([]), after: state([one]), is: { made: true, canceled: false } },
  { why: 'a canceled one', before: state([one]), after: state([]), is: { made: false, canceled: true } },
  { why: 'both', before: state([one]), after: state([two]), is: { made: true, canceled: true } },
  {
    why: 'an expired one, removed with a new one',
    before: state([link('one', NOW)]),
    after: state([two]),
    is: { made: true, canceled: false },
  },
  { why: 'a transfer', before: state([one]), after: state([], { creator: BEN }), is: null },
  { why: 'the creator left', before: state([one]), after: state([], { creator: null }), is: null },
])('links between two reads: $why', ({ before, after, is }) => {
  expect(linkChanges(before, after)).toEqual(is && { by: ANN, ...is });
});

test('links of a new creator are theirs, and those of the former one were not canceled', () => {
  expect(linkChanges(state([one]), state([two], { creator: BEN }))).toEqual({
    by: BEN,
    made: true,
    canceled: false,
  });
});
