/** Link previews between two people. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { FileChat, newestMessages } from '../../support/file-chat.ts';
import { TestRelay } from '../../support/relay.ts';

test('C12: a preview is sent with its message, and the engine calls no server of this computer for one', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  const { ann, ben, chat } = people;
  for (const url of [relay.url, relay.url.replace('http:', 'https:'), 'https://[::1]/', 'https://localhost/'])
    expect(await callEngine(ann, 'links.preview', { url })).toEqual({ page: null });
  const url = 'https://example.org/tides';
  const image = Buffer.concat([Buffer.from('RIFF....WEBPVP8 '), randomBytes(1_000)]).toString('base64');
  const preview = { url, title: 'Tides', description: 'Of March', image };
  const text = `See ${url} there`;
  const sent = await callEngine(ann, 'messages.send', { conversationId: chat, text, preview });
  expect(sent.preview).toEqual({ ...preview, host: 'example.org' });
  const received = await eventually(
    () => newestMessages(ben),
    (messages) => messages.at(-1)?.text === text,
  );
  expect(received.at(-1)?.preview).toEqual(sent.preview);
  const other = await callEngine(ann, 'messages.send', { conversationId: chat, text: 'No link', preview });
  expect(other.preview).toBeNull();
  await callEngine(ann, 'messages.forward', { ids: [sent.id], to: [chat] });
  const forwarded = (await newestMessages(ann)).at(-1);
  expect([forwarded?.text, forwarded?.forwarded, forwarded?.preview]).toEqual([text, true, null]);
});
