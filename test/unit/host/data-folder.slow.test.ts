import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';
import { firstWords, SOURCE } from './data-folder.ts';

test('C19: exactly one of two racing processes gets the folder', async () => {
  using folder = temporaryFolder();
  const program = `
    import { createInterface } from 'node:readline';
    import { lockDataFolder } from ${JSON.stringify(SOURCE)};
    let giveBack = null;
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'free') {
        giveBack?.();
        giveBack = null;
        console.log('free');
        continue;
      }
      try {
        giveBack = lockDataFolder(process.argv[1], console.error);
        console.log('held');
      } catch (error) {
        console.log(error.name);
      }
    }`;
  const args = ['--input-type=module', '-e', program, folder.path];
  const racers = [1, 2].map(() => spawn(process.execPath, args));
  const send = (word: string) => {
    const answers = Promise.all(racers.map(firstWords));
    for (const { stdin } of racers) stdin.write(`${word}\n`);
    return answers;
  };
  const outcomes = new Set<string>();
  const winners = new Set<number>();
  for (let race = 0; race < 200; race++) {
    const reported = await send('race');
    outcomes.add(reported.toSorted().join());
    winners.add(reported.indexOf('held'));
    await send('free');
  }
  for (const { stdin } of racers) stdin.end();
  expect([...outcomes]).toEqual(['Failure,held']);
  expect(winners, 'each of them won some: they did race').toEqual(new Set([0, 1]));
});
