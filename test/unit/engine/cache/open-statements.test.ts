/** Each new table visits all open statements of the database, and their memory is invisible to the collection of garbage. */
import Database from 'better-sqlite3-multiple-ciphers';
import { expect, test, vi } from 'vitest';
import { sync } from '../../../../src/engine/cache/write-ahead-log.ts';
import { openSearchCache } from '../../../support/search-cache.ts';

test('slices of indexing or erasing and commits without a sync open a bounded number of statements', () => {
  using prepared = vi.spyOn(Database.prototype, 'prepare');
  // Prepares a statement at each call, and leaves it open.
  using pragmas = vi.spyOn(Database.prototype, 'pragma');
  using cache = openSearchCache();
  const { context, db, indexer } = cache;
  const chat = cache.chatWith(1);
  const work = (text: string) => {
    context.withoutSync(() => cache.add(chat, text));
    while (indexer.slice());
    context.moveLog();
    context.eraseTraces();
    sync(db);
  };
  for (let number = 0; number < 20; number++) work(`Before ${number}`);
  const calls = () => prepared.mock.calls.length + pragmas.mock.calls.length;
  const before = calls();
  for (let number = 0; number < 40; number++) work(`After ${number}`);
  expect(calls()).toBe(before);
});
