/**
 * Both engines of a relay's store give the same answers to any calls in any order.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONG_TEST_LIMIT } from '../support/limits.ts';
import { openStore } from '../support/relay-store.ts';
import { runs } from '../support/runs.ts';
import { type Command, commands, StoreSide } from '../support/store-commands.ts';

/** Counts of the short answers of each command. */
const reached = new Map<string, number>();

async function answers(side: StoreSide, sequence: readonly Command[]): Promise<unknown[]> {
  const all: unknown[] = [];
  await side.begin();
  for (const command of sequence) all.push([command, await side.answer(command)]);
  all.push(['at the end', await side.all()]);
  return all;
}

test('any sequence of commands has the same answers on a file and on PostgreSQL', {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  await using file = await openStore('file');
  await using postgres = await openStore('postgres');
  let run = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      run++;
      const [one, other] = await Promise.all([
        answers(new StoreSide(file.store, run), sequence),
        answers(new StoreSide(postgres.store, run), sequence),
      ]);
      expect(other).toEqual(one);
      for (const each of one) note(each as [Command, unknown]);
    }),
    { numRuns: runs({ quick: 1, all: 12, nightly: 600 }) },
  );
  expect(await postgres.store.verifyAudit()).toEqual(await file.store.verifyAudit());
  // The sequences reach states where something happens.
  for (const word of ['accepted', 'opened', 'published']) {
    expect(reached.get(word) ?? 0, word).toBeGreaterThan(0);
  }
});

function note([, answer]: [Command, unknown]): void {
  for (const [, word] of JSON.stringify(answer ?? null).matchAll(/"(?:status":")?([a-z_]+)"/g)) {
    if (word !== undefined) reached.set(word, (reached.get(word) ?? 0) + 1);
  }
}
