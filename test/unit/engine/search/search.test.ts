/** Search in the cache: the index, its exactness over changes, and its background work. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toSearchText } from '../../../../src/base/search-text.ts';
import { CACHE_FILE, openCache } from '../../../../src/engine/cache/database.ts';
import { eraseTraces } from '../../../../src/engine/cache/write-ahead-log.ts';
import { removeMessages } from '../../../../src/engine/erasing.ts';
import type { MessageBody } from '../../../../src/messaging/sending/outgoing.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { pagesOf } from '../../../support/cache-pages.ts';
import { runs } from '../../../support/runs.ts';
import { openSearchCache, personAddress, type SearchCache, START } from '../../../support/search-cache.ts';

let cache: SearchCache;
beforeEach(() => {
  cache = openSearchCache();
});
afterEach(() => cache[Symbol.dispose]());

const edit = (id: number, text: string) =>
  cache.context.transaction(() =>
    cache.context.messages.setEdit(id, { text, mentions: [], sentAt: encodeTime(START) }),
  );
const erase = (id: number) =>
  cache.context.transaction(() =>
    cache.context.messages.erase(id, { kind: 'text' } as unknown as MessageBody, personAddress(1)),
  );
const randomText = () => randomBytes(24).toString('base64');
/** Runs all background work. */
function finish(): void {
  const { searchIndex, transaction } = cache.context;
  while (!searchIndex.isComplete) transaction(() => undefined);
  while (searchIndex.clean());
}

describe('any part of a text is found', () => {
  test.each([
    ['Hello Ben', 'Hello'],
    ['Hello Ben', 'lo be'],
    ['Hello Ben', 'b'],
    ['Hello Ben', 'en'],
    ['Straße nach Zürich', 'STRASSE nach zu'],
    ['明日は東京で会いましょう', '東京'],
    ['明日は東京で会いましょう', '京'],
    ['พรุ่งนี้เจอกันที่ตลาด', 'ตลาด'],
    ['مرحبا بالعالم', 'عالم'],
    ['See you 👍🏽', '👍'],
    ['family 👩‍👩‍👧', '👩‍👩‍👧'],
    ['quote " and * and (', '" and'],
    ['x', 'X'],
    ['price: 5 AND 6', 'and 6'],
    ['ㅋㅋㅠㅠ', 'ㅋㅋ'],
    ['ㅋㅠㅠ', 'ㅠㅠ'],
    ['ｶﾞｷﾞﾀｰ', 'ガギ'],
    ['می\u200cخواهم', 'میخواهم'],
    ['\u{f0000}\u{f0100}\u{f0101} private', '\u{f0000}\u{f0100}\u{f0101}'],
    ['a\u0002\u0002b', '\u0002b'],
    ['before\0after', 'after'],
    ['before\0after', 'e\0a'],
  ])('%s by %s', (text, typed) => {
    const chat = cache.chatWith(1);
    cache.add(chat, 'something else');
    cache.add(chat, text);
    expect(cache.find(`"${typed.replaceAll('"', '')}"`)).toContain(text);
  });
});

describe('formatting marks', () => {
  test.each([
    ['w**or**ds', 'words', 'words'],
    ['w**or**ds', 'w**or', 'w**or**ds'],
    ['*bold*text', 'boldtext', 'boldtext'],
    ['~~out~~side', 'outside', 'outside'],
    ['one **two** three', '"one two three"', 'one two three'],
    ['one **two** three', '"**two** th"', 'one **two** three'],
    ['*bold*, text', 'bold,', 'bold, text'],
    ['> ~~quoted~~\n> lines', '"quoted lines"', 'quoted\nlines'],
    ['see `a **b** c` there', '"a **b** c"', 'see a **b** c there'],
  ])('%s is found by %s', (text, typed, snippet) => {
    const chat = cache.chatWith(1);
    cache.add(chat, 'something else');
    cache.add(chat, text);
    expect(cache.find(typed)).toEqual([snippet]);
  });

  test('code is literal', () => {
    cache.add(cache.chatWith(1), '`w**or**ds` and\n```\none *two* three\n```');
    expect(cache.find('words')).toEqual([]);
    expect(cache.find('"one two"')).toEqual([]);
    expect(cache.find('"one *two* th"')).toHaveLength(1);
    expect(cache.find('w**or')).toHaveLength(1);
    cache.add(cache.chatWith(1), '5*3*2');
    expect(cache.find('532')).toEqual([]);
  });

  test('a page over long texts of marks ends after few of them that have to be parsed, and compares the others as written', async () => {
    const chat = cache.chatWith(1);
    const texts = Array.from({ length: 60 }, (_, number) => `${'_a_ the '.repeat(1_900)}${number}`);
    const ids = texts.map((text) => cache.add(chat, text));
    const page = async (text: string) =>
      (await cache.search['search.messages']({ text, limit: 50 })) as { hits: object[]; next: string | null };
    expect((await page('_a_ the')).hits).toHaveLength(50);
    const { hits, next } = await page('"a the a"');
    expect(hits.length).toBeGreaterThan(0);
    expect(ids.slice(-10)).toContain(Number(next));
  });

  test('the found words are marked in the text without marks, or in that with the marks that were typed', () => {
    const chat = cache.chatWith(1);
    cache.add(chat, 'one **two**, three');
    const marked = (typed: string) => {
      const { hits } = cache.search['search.messages']({ text: typed, limit: 1 }) as Awaited<
        ReturnType<SearchCache['search']['search.messages']>
      >;
      return hits.flatMap(({ snippet, marks }) => marks.map(({ from, to }) => snippet.slice(from, to)));
    };
    expect(marked('two, one')).toEqual(['one', 'two,']);
    expect(marked('"**two**, th"')).toEqual(['**two**, th']);
  });

  test('an edit changes both', () => {
    const id = cache.add(cache.chatWith(1), '**this**, then');
    edit(id, '**that**, then');
    expect(cache.find('this,')).toEqual([]);
    expect(cache.find('is**')).toEqual([]);
    expect(cache.find('that,')).toHaveLength(1);
  });
});

test('all words must occur, in any order; quoted words in theirs', () => {
  const chat = cache.chatWith(1);
  cache.add(chat, 'lunch on Monday');
  cache.add(chat, 'Monday, then lunch');
  cache.add(chat, 'lunch');
  expect(cache.find('lunch monday')).toEqual(['Monday, then lunch', 'lunch on Monday']);
  expect(cache.find('"lunch on"')).toEqual(['lunch on Monday']);
  expect(cache.find('lunch tuesday')).toEqual([]);
  expect(cache.find('   ')).toEqual([]);
});

test('filters by sender, chat, content and day', () => {
  const [ann, ben] = [cache.chatWith(1), cache.chatWith(2)];
  cache.add(ann, 'see https://example.org', { sender: personAddress(1) });
  cache.add(ben, 'see the map', {
    sender: personAddress(2),
    fields: {
      kind: 'attachment',
      text: undefined,
      caption: 'see the map',
      files: [{ name: 'Karte von Köln.png', mediaType: 'image/png', alt: 'a map' }],
    },
  });
  expect(cache.find('see has:link')).toEqual(['see https://example.org']);
  expect(cache.find('see has:picture')).toEqual(['see the map']);
  expect(cache.find('has:file koln')).toEqual(['Karte von Köln.png']);
  expect(cache.find(`see from:${personAddress(2)}`)).toEqual(['see the map']);
  expect(cache.find(`in:${personAddress(1)}`)).toEqual(['see https://example.org']);
  expect(cache.find('see from:nobody')).toEqual([]);
  expect(cache.find('see', ann)).toEqual(['see https://example.org']);
  expect(cache.find('see after:2026-01-03')).toEqual([]);
  expect(cache.find('see before:2025-12-30')).toEqual([]);
  expect(cache.find('see after:2025-12-30')).toHaveLength(2);
});

test('from:me finds own messages; a name is not searched in addresses', () => {
  const [ada, james] = [cache.chatWith(1), cache.chatWith(2)];
  const sender = `0x${'ada0'.repeat(10)}`;
  cache.context.contacts.ensure(sender, START);
  const { address } = cache.context.contacts.ensure(personAddress(2), START);
  cache.db.prepare("UPDATE contacts SET display_name = 'James' WHERE address = ?").run(address);
  cache.add(ada, 'from the address', { sender });
  cache.add(james, 'from james', { sender: address });
  expect(cache.find('from:ada')).toEqual([]);
  expect(cache.find('from:me')).toEqual([]);
  expect(cache.find('from:jame')).toEqual(['from james']);
  expect(cache.find(`from:${sender}`)).toEqual(['from the address']);
});

test('a filter that many people and chats match finds the messages of all', () => {
  const people = Array.from({ length: 120 }, (_, number) => number + 1);
  for (const person of people) {
    const chat = cache.chatWith(person);
    cache.db
      .prepare('UPDATE contacts SET display_name = ? WHERE address = ?')
      .run(`Pat ${person}`, personAddress(person));
    cache.add(chat, `from ${person}`, { sender: personAddress(person) });
  }
  const all = people.map((person) => `from ${person}`).reverse();
  expect(cache.find('from:pat')).toEqual(all);
  expect(cache.find('in:pat')).toEqual(all);
  expect(cache.find('from:pat in:pat "from 12"')).toEqual(['from 120', 'from 12']);
});

test('the search in one chat respects the filter for another', () => {
  const [ann, ben] = [cache.chatWith(1), cache.chatWith(2)];
  cache.add(ann, 'a bus');
  cache.add(ben, 'a bus');
  const ids = (text: string) =>
    (cache.search['search.inConversation']({ conversationId: String(ann), text }) as { ids: string[] }).ids;
  expect(ids(`bus in:${personAddress(2)}`)).toEqual([]);
  expect(ids(`bus in:${personAddress(1)}`)).toHaveLength(1);
  expect(ids('bus in:nobody')).toEqual([]);
});

test('a search of the longest length finds the message with all of its words only', () => {
  const chat = cache.chatWith(1);
  const words = Array.from({ length: 83 }, (_, number) => `w${number + 1_000}`);
  cache.add(chat, words.join(' '));
  expect(cache.find(words.join(' '))).toHaveLength(1);
  expect(cache.find(`"${words.join(' ')}"`)).toHaveLength(1);
  expect(cache.find([...words.slice(0, 82), 'other'].join(' '))).toEqual([]);
});

test('edits, deletion for everyone and removal reach the index in their transaction', () => {
  const chat = cache.chatWith(1);
  const id = cache.add(chat, 'meet at the harbour');
  edit(id, 'meet at the station');
  expect(cache.find('harbour')).toEqual([]);
  expect(cache.find('station')).toEqual(['meet at the station']);
  expect(() =>
    cache.context.transaction(() => {
      cache.context.messages.erase(id, { kind: 'text' } as unknown as MessageBody, personAddress(1));
      throw new Error('rolled back');
    }),
  ).toThrow('rolled back');
  expect(cache.find('station')).toEqual(['meet at the station']);
  erase(id);
  expect(cache.find('station')).toEqual([]);
  const other = cache.add(chat, 'the last one');
  const { sender, uid } = { sender: personAddress(1), uid: cache.context.messages.get(other)?.uid ?? '' };
  cache.context.transaction(() =>
    removeMessages(cache.context, [{ id: other, conversationId: chat, sender, uid }]),
  );
  expect(cache.find('last')).toEqual([]);
});

test('messages of blocked chats are not found, and those of deleted chats are removed', () => {
  const chat = cache.chatWith(1);
  cache.add(chat, 'from a person');
  cache.context.conversations.setState(chat, 'blocked');
  expect(cache.find('person')).toEqual([]);
  cache.context.conversations.setState(chat, 'accepted');
  expect(cache.find('person')).toEqual(['from a person']);
  cache.context.transaction(() => cache.context.conversations.remove(chat));
  expect(cache.find('person')).toEqual([]);
});

test('nothing of an erased text is left in the files after the background work', () => {
  const chat = cache.chatWith(1);
  for (let number = 0; number < 200; number++) cache.add(chat, `filler ${number} of the usual kind`);
  // At least six bytes in three letters: the keys and identifiers in the file are random, and contain any three bytes by chance.
  // Each three begin with another byte, so that the index shortens none of them.
  const letters = ['\u0436', '\u03b1', '\u05e9', '\u0639', '\u0561', '\u10d0'];
  const trigrams = [0, 1, 2, 3].map((from) =>
    Buffer.from(letters.slice(from, from + 3).join('')).toString('latin1'),
  );
  const id = cache.add(chat, letters.join(''));
  finish();
  const before = pagesOf(cache.folder, cache.key);
  // One in the message, and one in the index.
  for (const trigram of trigrams) expect(before.split(trigram).length).toBeGreaterThan(2);
  erase(id);
  finish();
  cache.context.eraseTraces();
  const after = pagesOf(cache.folder, cache.key);
  for (const trigram of trigrams) expect(after).not.toContain(trigram);
  expect(cache.find('usual')).toHaveLength(200);
});

test.each([1, 2])('a text erased after step %i of a merge is removed by the next merge', (steps) => {
  const chat = cache.chatWith(1);
  const first = cache.add(chat, 'the first');
  for (let number = 0; number < 40; number++) {
    cache.context.transaction(() => {
      for (let each = 0; each < 50; each++) {
        cache.add(chat, String.fromCodePoint(...[...randomBytes(30)].map((byte) => 0x4e00 + byte * 64)));
      }
    });
  }
  // Its entries are before those of the others: a merge copies them in its first step.
  const id = cache.add(chat, 'жцщ');
  const bytes = Buffer.from('жцщ').toString('latin1');
  expect(pagesOf(cache.folder, cache.key)).toContain(bytes);
  erase(first);
  for (let step = 0; step < steps; step++) cache.context.searchIndex.clean();
  erase(id);
  finish();
  cache.context.eraseTraces();
  // Not `toContain`, which would print all pages.
  expect(pagesOf(cache.folder, cache.key).includes(bytes)).toBe(false);
});

test('fields of other kinds are ignored: they were not checked at arrival', () => {
  const chat = cache.chatWith(1);
  cache.add(chat, 'a text', { fields: { files: [null], caption: 'hidden' } });
  cache.add(chat, 'hidden', {
    fields: { kind: 'attachment', files: [{ name: 'shown.txt', mediaType: 'text/plain' }] },
  });
  expect(cache.find('text')).toEqual(['a text']);
  expect(cache.find('hidden')).toEqual([]);
  expect(cache.find('has:file')).toEqual(['shown.txt']);
});

test('more changes than one transaction indexes are indexed in the background, the newest first', () => {
  const chat = cache.chatWith(1);
  const { messages, transaction, searchIndex } = cache.context;
  transaction(() => {
    for (let number = 0; number < 250; number++) {
      messages.insert({
        conversationId: chat,
        sender: personAddress(1),
        uid: Buffer.from(String(number).padStart(16)),
        body: {
          kind: 'text',
          text: `word${number}.`,
          sentAt: encodeTime(START),
          seq: number,
        } as unknown as MessageBody,
        sentAt: START,
        storedAt: START,
        state: 'received',
        trust: 'verified',
      });
    }
  });
  expect(searchIndex.isComplete).toBe(false);
  expect(cache.find('word249.')).toHaveLength(1);
  expect(cache.find('word0.')).toHaveLength(0);
  finish();
  expect(cache.find('word0.')).toHaveLength(1);
});

/** Segments of a part of the index: a search looks into each. */
const segmentsOf = (part: number) =>
  cache.db.prepare(`SELECT count(DISTINCT segid) FROM search_${part}_idx`).pluck().get() as number;
const addTogether = (chat: number, count: number) =>
  cache.context.transaction(() => {
    for (let number = 0; number < count; number++) cache.add(chat, randomText());
  });

test('the messages of one transaction become one segment of the index', () => {
  const chat = cache.chatWith(1);
  addTogether(chat, 100);
  expect(segmentsOf(0)).toBe(1);
  addTogether(chat, 100);
  expect(segmentsOf(0)).toBe(2);
});

test('segments are merged in the background, never by the storing of messages', () => {
  const chat = cache.chatWith(1);
  for (let count = 1; count <= 40; count++) addTogether(chat, 1);
  expect(segmentsOf(0)).toBe(40);
  while (cache.indexer.slice());
  expect(segmentsOf(0)).toBeLessThan(8);
  expect(cache.context.searchIndex.isComplete).toBe(true);
});

test('the background makes a part of the index in a slice of its own', () => {
  const chat = cache.chatWith(1);
  cache.db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('messages', 16320)").run();
  cache.context.transaction(() => {
    for (let number = 0; number < 120; number++) cache.add(chat, `word${number}.`);
  });
  const parts = () => cache.db.prepare('SELECT part FROM search_parts ORDER BY part').pluck().all();
  // The newest messages are in the next part. The others wait for theirs.
  expect(parts()).toEqual([1]);
  expect(cache.find('word119.')).toHaveLength(1);
  expect(cache.find('word63.')).toHaveLength(1);
  expect(cache.find('word62.')).toHaveLength(0);
  for (let slices = 0; slices < 10 && parts().length === 1; slices++) cache.indexer.slice();
  expect(parts()).toEqual([0, 1]);
  expect(segmentsOf(0)).toBe(0);
  while (cache.indexer.slice());
  expect(cache.find('word0.')).toHaveLength(1);
});

test('a full part of the index is merged into one segment', () => {
  const chat = cache.chatWith(1);
  for (let count = 0; count < 5; count++) addTogether(chat, 1);
  // The next message has a number in the next part.
  cache.db.prepare("UPDATE sqlite_sequence SET seq = 16384 WHERE name = 'messages'").run();
  cache.add(chat, 'the first of its part');
  while (cache.indexer.slice());
  expect([segmentsOf(0), segmentsOf(1)]).toEqual([1, 1]);
  expect(cache.find('the first')).toHaveLength(1);
});

test('indexing in the background leaves no commit with many pages of the log to move', () => {
  const { context, db, folder, indexer } = cache;
  const chat = cache.chatWith(1);
  context.transaction(() => {
    for (let number = 0; number < 3_000; number++) cache.add(chat, `${randomText()} word${number}.`);
  });
  eraseTraces(db);
  let longest = 0;
  let slices = 0;
  while (indexer.slice()) {
    slices += 1;
    longest = Math.max(longest, statSync(join(folder, `${CACHE_FILE}-wal`)).size);
  }
  expect(slices).toBeGreaterThan(20);
  expect(cache.find('word0.')).toHaveLength(1);
  // SQLite moves the pages itself from 1,000 on.
  expect(longest).toBeLessThan(700 * 4_096);
});

test('a body with another number only is not indexed again', () => {
  const chat = cache.chatWith(1);
  const id = cache.add(chat, 'on its way');
  finish();
  const change = cache.db.prepare("UPDATE messages SET body = json_set(body, '$.' || ?, ?) WHERE id = ?");
  change.run('seq', 99, id);
  expect(cache.context.searchIndex.isComplete).toBe(true);
  change.run('text', 'another', id);
  expect(cache.context.searchIndex.isComplete).toBe(false);
});

test('long messages of one transaction are indexed over several', () => {
  const chat = cache.chatWith(1);
  const { searchIndex, transaction } = cache.context;
  transaction(() => {
    for (let number = 0; number < 20; number++) cache.add(chat, `${'東京'.repeat(1_300)} word${number}.`);
  });
  expect(searchIndex.isComplete).toBe(false);
  expect(cache.find('word19.')).toHaveLength(1);
  expect(cache.find('word0.')).toHaveLength(0);
  finish();
  expect(cache.find('word0.')).toHaveLength(1);
});

test('a search through long messages continues in another page', () => {
  const chat = cache.chatWith(1);
  const wanted = cache.add(chat, 'abcd');
  const text = `abc ${'x'.repeat(16_000)} bcd`;
  cache.context.transaction(() => {
    for (let number = 0; number < 80; number++) cache.add(chat, text);
  });
  finish();
  const page = cache.search['search.messages']({ text: 'abcd', limit: 30 }) as {
    hits: object[];
    next: string;
  };
  expect(page.hits).toEqual([]);
  expect(Number(page.next)).toBeGreaterThan(wanted);
  expect(cache.find('abcd')).toEqual(['abcd']);
});

test('a short word in a chat is looked up in the index', () => {
  const [ann, ben] = [cache.chatWith(1), cache.chatWith(2)];
  const wanted = [cache.add(ann, '明日は東京で'), cache.add(ann, 'end of 東京')];
  cache.add(ben, '東京');
  cache.context.transaction(() => {
    for (let number = 0; number < 500; number++) cache.add(ann, '京東 e');
  });
  finish();
  const condition = { terms: ['e', '東京'], conversationIds: [ann], senders: null, has: [] };
  const candidates = cache.context.searchIndex.candidates(0, condition, Number.MAX_SAFE_INTEGER, 1_000);
  expect(candidates).toEqual(wanted.toReversed());
  expect(cache.find('東京', ann)).toEqual(['end of 東京', '明日は東京で']);
});

test('a match longer than a snippet is marked to its end', () => {
  const chat = cache.chatWith(1);
  const text = 'a long line '.repeat(40);
  cache.add(chat, text);
  const { hits } = cache.search['search.messages']({ text: `"${text}"`, limit: 1 }) as {
    hits: { snippet: string; marks: object[] }[];
  };
  expect(hits[0]?.marks).toEqual([{ from: 0, to: 240 }]);
});

test.each([
  ['structure', 'WHERE id = 10'],
  ['entries', 'WHERE id > 10'],
])('an index with a damaged part (%s) does not stop storing, and is rebuilt', (_name, rows) => {
  const chat = cache.chatWith(1);
  for (let number = 0; number < 20; number++) cache.add(chat, `number ${number} of them`);
  const { folder, key } = cache;
  cache.db.unsafeMode(true);
  cache.db.prepare(`UPDATE search_0_data SET block = x'ffffffffffff' ${rows}`).run();
  cache.db.close();
  const again = openSearchCache({ path: folder, [Symbol.dispose]: () => undefined }, key);
  const { searchIndex, transaction } = again.context;
  again.add(chat, 'stored all the same');
  expect(() => again.find('number')).toThrow(/corrupt/);
  expect(searchIndex.repair()).toBe(true);
  while (!searchIndex.isComplete) transaction(() => undefined);
  expect(again.find('the same')).toEqual(['stored all the same']);
  expect(again.find('number')).toHaveLength(20);
  again.db.close();
  cache.db = openCache(folder, key);
});

test('an index of another version is rebuilt', () => {
  const chat = cache.chatWith(1);
  cache.add(chat, 'from before the update');
  cache.db.prepare("UPDATE search_version SET version = 'older'").run();
  const { folder, key } = cache;
  cache.db.close();
  const again = openSearchCache({ path: folder, [Symbol.dispose]: () => undefined }, key);
  expect(again.context.searchIndex.isComplete).toBe(false);
  again.context.transaction(() => undefined);
  expect(again.find('update')).toEqual(['from before the update']);
  again.db.close();
  cache.db = openCache(folder, key);
});

test('after any sequence of changes a search finds exactly the messages that have the text', () => {
  const alphabet = fc.constantFrom('a', 'b', 'B', 'ä', 'ß', ' ', '東', '京', '👍', 'e\u0301');
  const words = fc.array(alphabet, { minLength: 1, maxLength: 8 }).map((all) => all.join(''));
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ is: fc.constant('add' as const), text: words, chat: fc.nat(2) }) },
    fc.record({ is: fc.constant('edit' as const), text: words, on: fc.nat() }),
    fc.record({ is: fc.constant('erase' as const), on: fc.nat() }),
    fc.record({ is: fc.constant('remove' as const), on: fc.nat() }),
    fc.record({ is: fc.constant('clean' as const) }),
  );
  const chats = [cache.chatWith(1), cache.chatWith(2), cache.chatWith(3)];
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.array(words, { minLength: 3, maxLength: 6 }),
      (steps, typed) => {
        const model = new Map<number, string>();
        for (const each of steps) {
          const id = 'on' in each ? ([...model.keys()][each.on % model.size] ?? null) : null;
          if (each.is === 'add') model.set(cache.add(chats[each.chat] ?? 0, each.text), each.text);
          else if (each.is === 'clean') cache.context.searchIndex.clean();
          else if (id === null) continue;
          else if (each.is === 'edit') {
            edit(id, each.text);
            model.set(id, each.text);
          } else {
            if (each.is === 'erase') erase(id);
            else cache.context.transaction(() => cache.context.messages.remove(id));
            model.delete(id);
          }
        }
        for (const text of typed) {
          if (text.trim() === '') continue;
          const term = toSearchText(text);
          const expected = [...model]
            .filter(([, each]) => toSearchText(each).includes(term))
            .map(([id]) => id);
          const { hits } = cache.search['search.messages']({ text: `"${text}"`, limit: 50 }) as {
            hits: { id: string }[];
          };
          expect(hits.map(({ id }) => Number(id))).toEqual(expected.sort((a, b) => b - a).slice(0, 50));
        }
        for (const id of model.keys()) cache.context.transaction(() => cache.context.messages.remove(id));
      },
    ),
    { numRuns: runs({ quick: 40, all: 400, nightly: 4_000 }) },
  );
});

test('search in one chat follows the timeline: a late message is between those before and after it', () => {
  const chat = cache.chatWith(1);
  const [first, second] = [cache.add(chat, 'first bus'), cache.add(chat, 'second bus')];
  const late = cache.add(chat, 'late bus', { at: { place: first, late: START + 1_500 } });
  const conversationId = String(chat);
  expect(cache.search['search.inConversation']({ conversationId, text: 'bus' })).toMatchObject({
    ids: [second, late, first].map(String),
  });
});

test('search in one chat returns all matches, newest first', () => {
  const [ann, ben] = [cache.chatWith(1), cache.chatWith(2)];
  const ids = [cache.add(ann, 'one bus'), cache.add(ben, 'other bus'), cache.add(ann, 'last bus')];
  expect(cache.search['search.inConversation']({ conversationId: String(ann), text: 'bus' })).toEqual({
    ids: [String(ids[2]), String(ids[0])],
    hasMore: false,
    terms: ['bus'],
    isComplete: true,
  });
});
