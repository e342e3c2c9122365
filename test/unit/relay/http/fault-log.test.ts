import { expect, test } from 'vitest';
import { FaultLog, MOST_FAULTS } from '../../../../src/relay/http/fault-log.ts';
import { StoreUnavailable } from '../../../../src/relay/store/records.ts';
import { StoppedClock } from '../../../support/steady-clock.ts';

const away = () => new StoreUnavailable('ECONNREFUSED');

test('equal faults beyond a number are omitted for a minute, and their number is reported', () => {
  const clock = new StoppedClock();
  const reported: number[] = [];
  const faults = new FaultLog(clock, (omitted) => reported.push(omitted));
  const admitted = Array.from({ length: 1_000 }, () => faults.admits(away())).filter(Boolean);
  expect(admitted).toHaveLength(MOST_FAULTS);
  // Of another class, and of the same class at another place.
  expect(faults.admits(new TypeError('another'))).toBe(true);
  expect(faults.admits(new StoreUnavailable('ECONNREFUSED'))).toBe(true);
  expect(reported).toEqual([]);
  clock.pass(60_000);
  expect(reported).toEqual([1_000 - MOST_FAULTS]);
  expect(faults.admits(away())).toBe(true);
});

test('a minute without omitted faults reports nothing', () => {
  const clock = new StoppedClock();
  const reported: number[] = [];
  const faults = new FaultLog(clock, (omitted) => reported.push(omitted));
  faults.admits(away());
  clock.pass(60_000);
  faults.close();
  expect(reported).toEqual([]);
});

test('a relay that stops reports the omitted faults', () => {
  const reported: number[] = [];
  const faults = new FaultLog(new StoppedClock(), (omitted) => reported.push(omitted));
  for (let count = 0; count <= MOST_FAULTS; count++) faults.admits(away());
  faults.close();
  expect(reported).toEqual([1]);
});
