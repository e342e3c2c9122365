import { describe, expect, it } from 'vitest';
import {
  isUnconfirmed,
  judgeRoster,
  type MembersMemory,
  MOST_DEPARTURES,
  removedByOwnDevice,
  unconfirmedIn,
  withConfirmation,
  withDeparture,
} from '../../../../src/messaging/trust/members.ts';
import { membersHash } from '../../../../src/protocol/members-hash.ts';

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const [OWN, ANN, BEN, CAT, EVE] = [1, 2, 3, 4, 5].map(address) as [string, string, string, string, string];

/** The memory after the relay has shown these rosters, one after the other. */
function rosters(...shownOnes: string[][]): MembersMemory {
  const memory = shownOnes.reduce<MembersMemory | null>((before, shown) => judgeRoster(before, shown), null);
  if (!memory) throw new Error('no roster');
  return memory;
}

describe('a roster', () => {
  it('is believed when it is the first one of a group', () => {
    expect(rosters([OWN, ANN])).toEqual({ believed: [OWN, ANN], departed: [] });
  });

  it('brings newcomers, who need no confirmation', () => {
    expect(rosters([OWN, ANN], [OWN, ANN, BEN]).believed).toEqual([OWN, ANN, BEN]);
  });

  it('from before a removal does not bring the removed person back', () => {
    const memory = rosters([OWN, ANN, BEN], [OWN, ANN], [OWN, ANN, BEN]);
    expect(memory.believed).toEqual([OWN, ANN]);
    expect(unconfirmedIn(memory, [OWN, ANN, BEN])).toEqual([BEN]);
    expect(isUnconfirmed(memory, BEN)).toBe(true);
  });

  it('does so neither when old and new ones alternate, nor in a subset or superset of an old one', () => {
    const old = [OWN, ANN, BEN];
    expect(rosters(old, [OWN, ANN], old, [OWN, ANN], old).believed).toEqual([OWN, ANN]);
    expect(rosters(old, [OWN, ANN], [OWN, BEN]).believed).toEqual([OWN]);
    expect(rosters(old, [OWN, ANN], [...old, CAT]).believed).toEqual([OWN, ANN, CAT]);
  });
});

describe('a removal by the user', () => {
  it('counts before the relay shows it', () => {
    const memory = judgeRoster(withDeparture(rosters([OWN, ANN, BEN]), BEN), [OWN, ANN, BEN]);
    expect(memory).toEqual({ believed: [OWN, ANN], departed: [BEN] });
  });

  it('counts when the user is the one who left, until the user comes back', () => {
    const left = judgeRoster(withDeparture(rosters([OWN, ANN]), OWN), [OWN, ANN]);
    expect(left.believed).toEqual([ANN]);
    expect(judgeRoster(withConfirmation(left, OWN), [OWN, ANN]).believed).toEqual([OWN, ANN]);
  });

  it('is told by the list that another own device names', () => {
    const memory = rosters([OWN, ANN, BEN, CAT]);
    expect(removedByOwnDevice(memory, membersHash([OWN, ANN, CAT]))).toEqual([BEN]);
    expect(removedByOwnDevice(memory, membersHash([OWN, ANN]))).toEqual([BEN, CAT]);
    expect(removedByOwnDevice(memory, membersHash([OWN, ANN, BEN, CAT, EVE]))).toEqual([]);
  });

  it('is not told by an own device that has only not confirmed someone yet', () => {
    const old = [OWN, ANN, BEN];
    const confirmed = withConfirmation(rosters(old, [OWN, ANN], old), BEN);
    expect(removedByOwnDevice(confirmed, membersHash([OWN, ANN]))).toEqual([]);
  });
});

describe('a confirmation', () => {
  it('lasts while the relay goes on showing the person, and no longer', () => {
    const old = [OWN, ANN, BEN];
    const back = rosters(old, [OWN, ANN], old);
    const confirmed = judgeRoster(withConfirmation(back, BEN), [...old, CAT]);
    expect(confirmed.believed).toEqual([OWN, ANN, BEN, CAT]);
    expect(isUnconfirmed(confirmed, BEN)).toBe(false);
    const again = judgeRoster(judgeRoster(confirmed, [OWN, ANN]), old);
    expect(unconfirmedIn(again, old)).toEqual([BEN]);
    expect(withConfirmation(confirmed, BEN)).toBe(confirmed);
  });
});

describe('the memory', () => {
  const crowd = Array.from({ length: MOST_DEPARTURES + 10 }, (_, index) => address(1_000 + index));

  it('is bounded, and no made-up departures wash out a true one', () => {
    const memory = rosters([OWN, ANN, BEN], [OWN, ANN], [OWN, ANN, ...crowd], [OWN, ANN], [OWN, ANN, BEN]);
    expect(memory.departed).toHaveLength(MOST_DEPARTURES);
    expect(unconfirmedIn(memory, [OWN, ANN, BEN])).toEqual([BEN]);
  });

  it('asks for each newcomer once it is full, also for one whose departure found no room', () => {
    const full = rosters([OWN, ANN, ...crowd], [OWN, ANN]);
    const last = crowd.at(-1) as string;
    expect(judgeRoster(full, [OWN, ANN, BEN, last]).believed).toEqual([OWN, ANN]);
    const confirmed = withConfirmation(judgeRoster(full, [OWN, ANN, BEN]), BEN);
    expect(judgeRoster(confirmed, [OWN, ANN, BEN, last]).believed).toEqual([OWN, ANN, BEN]);
  });
});
