/** `waxwing send --reply-to`, `react`, `edit` and `delete`: with the refs that the commands print. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bot, newBot, waiting } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { answer, waxwing } from '../../support/waxwing-command.ts';

const relay = new TestRelay();
const folder = temporaryFolder();
const file = join(folder.path, 'ann.json');
const asAnn = ['--identity', file];
let bob: Bot;
beforeAll(async () => {
  await relay.start();
  await newBot(relay, { handle: 'ref_ann', file });
  bob = await newBot(relay, { handle: 'ref_bob' });
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test('the ref printed by inbox is replied to and reacted to', async () => {
  const question = await bob.client.send('@ref_ann', 'Lunch?');
  const { stdout } = await waxwing(['inbox', ...asAnn]);
  const ref = /^ref: (wxm_\S+) {2}id (\S+)$/m.exec(stdout);
  expect(ref?.[2]).toBe(question.messageId);
  await answer(['send', '--reply-to', ref?.[1] ?? '', 'Yes', ...asAnn]);
  await answer(['react', ref?.[1] ?? '', '🍜', ...asAnn]);
  const target = { sender: bob.identity.address, id: question.messageId, digest: question.digest };
  expect(await waiting(bob, { controls: true })).toMatchObject([
    { text: 'Yes', replyTo: target },
    { role: 'control', control: { kind: 'reaction', target, emoji: ['🍜'] } },
  ]);
});

test('the ref printed by send is edited and deleted, and inbox reports it on request', async () => {
  const { stdout } = await waxwing(['send', '@ref_bob', 'At noon', ...asAnn]);
  const ref = /^ref: (wxm_\S+)$/m.exec(stdout)?.[1] ?? '';
  expect((await waxwing(['edit', ref, 'At one', ...asAnn])).stdout).toMatch(
    /^Edited, sealed for \d devices?\.\n$/,
  );
  await answer(['delete', ref, ...asAnn]);
  const received = await waiting(bob, { controls: true });
  expect(received.map(({ text, control }) => control ?? text)).toMatchObject([
    'At noon',
    { kind: 'edit', text: 'At one' },
    { kind: 'delete' },
  ]);

  const own = await bob.client.send('@ref_ann', 'Tuesday');
  await bob.client.edit(own, 'Wednesday');
  const inbox = await waxwing(['inbox', '--controls', ...asAnn]);
  expect(inbox.stdout).toContain(`    (edited ${own.messageId})\n    Wednesday\n`);
});

test('JSON names the target of a reply and of a control', async () => {
  const first = await bob.client.send('@ref_ann', 'one');
  const second = await bob.client.send('@ref_ann', 'two', { replyTo: first });
  await bob.client.react(second, ['1️⃣']);
  const { stdout } = await waxwing(['inbox', '--controls', '--json', ...asAnn]);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { id: first.messageId, digest: first.digest, replyTo: null, control: null },
    { id: second.messageId, replyTo: { id: first.messageId, digest: first.digest } },
    { control: { kind: 'reaction', target: { id: second.messageId }, emoji: ['1️⃣'] } },
  ]);
});

test('an invalid ref, or one of another author, is refused', async () => {
  const wrong = await waxwing(['react', 'wxm_nothing', '👍', ...asAnn]);
  expect([wrong.code, wrong.stderr]).toMatchObject([2, expect.stringContaining('begins with wxm_')]);
  await bob.client.send('@ref_ann', 'Bob’s own');
  const { ref } = await answer<{ ref: string }>(['inbox', ...asAnn]);
  expect((await waxwing(['edit', ref, 'Ann’s', ...asAnn])).code).toBe(3);
  expect((await waxwing(['send', '--reply-to', ref, '@ref_bob', 'x', ...asAnn])).code).toBe(2);
});

test('send makes disappearing messages, and inbox reports their time', async () => {
  await answer(['send', '@ref_bob', 'The code is 4711', '--disappear-after', '8h', ...asAnn]);
  expect((await waiting(bob)).map(({ expires }) => expires)).toEqual([28_800]);
  await bob.client.send('@ref_ann', 'Burn this', { expires: 90 });
  const { stdout } = await waxwing(['inbox', ...asAnn]);
  expect(stdout).toContain('disappears after 90s');
  const wrong = await waxwing(['send', '@ref_bob', 'no', '--disappear-after', '5s', ...asAnn]);
  expect(wrong.code).not.toBe(0);
});

test('send mentions people at the place of their handle in the text', async () => {
  await answer(['send', '@ref_bob', 'Ask @ref_bob, not @ref_bobby.', '--mention', '@ref_bob', ...asAnn]);
  const { address } = bob.identity;
  await answer(['send', '@ref_bob', 'Hi Bob', '--mention', `Bob=${address}`, ...asAnn]);
  expect((await waiting(bob)).map(({ mentions }) => mentions)).toEqual([
    [{ from: 4, to: 12, address }],
    [{ from: 3, to: 6, address }],
  ]);
  const wrong = await waxwing(['send', '@ref_bob', 'Hi', '--mention', '@ref_bob', ...asAnn]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('‘@ref_bob’ is not in the text')]);
  expect((await waxwing(['send', '@ref_bob', 'Hi', '--mention', 'Bob=0x12', ...asAnn])).code).toBe(2);
});
