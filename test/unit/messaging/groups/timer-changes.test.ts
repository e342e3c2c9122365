import { expect, test } from 'vitest';
import { timerChange } from '../../../../src/messaging/groups/timer-changes.ts';
import type { PastEntry } from '../../../../src/protocol/roster/history.ts';
import { emptyRoster, type RosterState } from '../../../../src/protocol/roster/state.ts';

const [ANN, BEN] = ['0xann', '0xben'];
const state = (epoch: number, timer: number): RosterState => ({ ...emptyRoster('group'), epoch, timer });
const entry = (epoch: number, by: string, timer?: number): PastEntry => ({
  body: {
    epoch,
    by,
    kind: 'change',
    issued: '2026-01-01T00:00:00.000Z',
    ...(timer !== undefined && { timer }),
  },
  hash: `hash ${epoch}`,
  deviceId: 'device',
});

test.each([
  {
    why: 'the same as before',
    before: state(3, 60),
    after: state(5, 60),
    past: [entry(5, BEN, 60)],
    is: null,
  },
  {
    why: 'set twice: the last counts',
    before: state(3, 0),
    after: state(6, 300),
    past: [entry(6, ANN), entry(5, BEN, 300), entry(4, ANN, 60)],
    is: { seconds: 300, by: BEN },
  },
  {
    why: 'turned off',
    before: state(3, 60),
    after: state(4, 0),
    past: [entry(4, ANN, 0)],
    is: { seconds: 0, by: ANN },
  },
  {
    why: 'by an entry that is not remembered',
    before: state(3, 0),
    after: state(9, 60),
    past: [entry(9, ANN), entry(3, BEN, 60)],
    is: { seconds: 60, by: null },
  },
])('the timer between two looks: $why', ({ before, after, past, is }) => {
  expect(timerChange(before, after, past)).toEqual(is);
});
