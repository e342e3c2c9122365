import { expect, test } from 'vitest';
import { NOTHING_KNOWN } from '../../../../src/messaging/trust/address-trust.ts';
import { SignerLists } from '../../../../src/messaging/trust/signer-lists.ts';
import { BEGINNING, rosterFixture } from '../../../support/rosters.ts';

const people = Array.from({ length: 20 }, (_, index) => rosterFixture(`person ${index}`, 4 * index + 4));

/** Lists of people whose first one is pinned. @param refresh of one address */
function listsWith(refresh: (address: string) => Promise<void>) {
  const trustIn = (address: string) => {
    const list = people.find((each) => each.address === address)?.lists[0] ?? null;
    return { ...NOTHING_KNOWN, list };
  };
  const source = {
    keyHistories: async (wants: readonly unknown[]) => wants.map(() => ({ lists: [], more: false })),
  };
  return new SignerLists(source, { trustIn, refresh, addEvidence: () => undefined }, () => BEGINNING);
}

const newer = people.map(({ address }) => ({ address, sequence: 2 }));

test('newer lists of many people are fetched eight at a time', async () => {
  const fetched: string[] = [];
  let [running, most] = [0, 0];
  const lists = listsWith(async (address) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    fetched.push(address);
  });
  await lists.prove(newer);
  expect(fetched.toSorted()).toEqual(people.map(({ address }) => address).toSorted());
  expect(most).toBe(8);
});

test('a failure to fetch a list is thrown after the end of the requests at the same time', async () => {
  let running = 0;
  const lists = listsWith(async () => {
    running += 1;
    await Promise.resolve();
    running -= 1;
    throw new Error('no answer');
  });
  await expect(lists.prove(newer)).rejects.toThrow('no answer');
  expect(running).toBe(0);
});
