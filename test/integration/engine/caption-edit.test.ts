/** An edit of the caption of sent files, in a direct chat and in a group: separate engines on a real relay. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import { bytesOf, FileChat } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import type { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const PDF = { name: 'report.pdf', mediaType: 'application/pdf' };
const KINDS = ['direct', 'group'] as const;
type Kind = (typeof KINDS)[number];

const relay = new TestRelay();
let people: FileChat;
let ann: LocalEngine;
let ben: LocalEngine;

beforeAll(async () => {
  await relay.start();
  people = await FileChat.start(relay.url);
  ({ ann, ben } = people);
  const join = { mode: 'open' } as const;
  const created = await callEngine(ann, 'groups.create', { name: 'Hikers', description: '', join });
  if (created.kind !== 'group') throw new Error('no group');
  await callEngine(ben, 'groups.join', { groupId: created.group.groupId, password: null });
});
afterAll(async () => {
  await people[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
});

async function chatOf(engine: LocalEngine, kind: Kind): Promise<string> {
  const all = await callEngine(engine, 'conversations.list', {});
  return all.find((each) => each.kind === kind)?.id ?? '';
}

/** The message of a chat with this caption, once a person has it. */
async function seen(engine: LocalEngine, kind: Kind, caption: string): Promise<Message> {
  const found = await eventually(
    async () => {
      const conversationId = await chatOf(engine, kind);
      const { messages } = await callEngine(engine, 'messages.list', { conversationId, limit: 200 });
      return messages.find(({ text, files }) => text === caption && files.length > 0) ?? null;
    },
    (message) => message !== null && message.state !== 'queued',
  );
  return found as Message;
}

test.for(KINDS)('a changed caption is shown as edited, and the files stay: %s', async (kind) => {
  const bytes = randomBytes(2_000);
  const { id } = await sendFiles(ann, await chatOf(ann, kind), [{ bytes, ...PDF }], 'Tpyo @ben');
  await seen(ben, kind, 'Tpyo @ben');
  expect(await seen(ann, kind, 'Tpyo @ben')).toMatchObject({ id, can: { edit: true }, editedAt: null });
  await callEngine(ann, 'messages.edit', { id, text: 'No typo' });
  for (const engine of [ann, ben]) {
    const message = await seen(engine, kind, 'No typo');
    expect(message.editedAt).not.toBeNull();
    expect(message.files).toMatchObject([{ name: 'report.pdf', size: bytes.length }]);
    const versions = await callEngine(engine, 'messages.versions', { id: message.id });
    expect(versions.map(({ text }) => text)).toEqual(['Tpyo @ben', 'No typo']);
  }
  const atBen = await seen(ben, kind, 'No typo');
  await expect(callEngine(ben, 'messages.edit', { id: atBen.id, text: 'Mine' })).rejects.toMatchObject({
    code: 'message_not_yours',
  });
  await callEngine(ben, 'files.download', { messageId: atBen.id, index: 0 });
  await eventually(
    () => seen(ben, kind, 'No typo'),
    ({ files }) => files[0]?.state === 'here',
  );
  expect((await bytesOf(ben, atBen.id)).equals(bytes)).toBe(true);
});

test('files without a caption get one, of the length of a caption', async () => {
  const { id } = await sendFiles(ann, people.chat, [{ bytes: randomBytes(2_000), ...PDF }]);
  await seen(ann, 'direct', '');
  await seen(ben, 'direct', '');
  await expect(callEngine(ann, 'messages.edit', { id, text: 'x'.repeat(4_097) })).rejects.toMatchObject({
    code: 'caption_too_long',
  });
  await callEngine(ann, 'messages.edit', { id, text: 'A report' });
  expect(await seen(ben, 'direct', 'A report')).toMatchObject({ files: [{ name: 'report.pdf' }] });
});

test('a caption that is changed before its files are sent is sent as changed', async () => {
  await relay.stop();
  const { id } = await sendFiles(ann, people.chat, [{ bytes: randomBytes(2_000), ...PDF }], 'First');
  const edited = await callEngine(ann, 'messages.edit', { id, text: 'Second' });
  expect(edited).toMatchObject({ text: 'Second', state: 'queued', editedAt: null });
  await relay.start();
  for (const engine of [ann, ben]) await callEngine(engine, 'connection.retry', {});
  expect(await seen(ben, 'direct', 'Second')).toMatchObject({ editedAt: null });
});

test.for(KINDS)('a caption is removed, and the files stay: %s', async (kind) => {
  const file = { bytes: randomBytes(2_000), name: `${kind}.pdf`, mediaType: 'application/pdf' };
  const { id } = await sendFiles(ann, await chatOf(ann, kind), [file], `Wrong words for ${kind}`);
  const atBen = await seen(ben, kind, `Wrong words for ${kind}`);
  await seen(ann, kind, `Wrong words for ${kind}`);
  await callEngine(ann, 'messages.edit', { id, text: ' \n' });
  for (const [engine, messageId] of [
    [ann, id],
    [ben, atBen.id],
  ] as const) {
    const isRemoved = async () => {
      const conversationId = await chatOf(engine, kind);
      const { messages } = await callEngine(engine, 'messages.list', { conversationId, limit: 200 });
      return messages.find((each) => each.id === messageId);
    };
    const message = await eventually(isRemoved, (each) => each?.text === '');
    expect(message).toMatchObject({ files: [{ name: file.name }], kind: 'attachment' });
    expect(message?.editedAt).not.toBeNull();
    const versions = await callEngine(engine, 'messages.versions', { id: messageId });
    expect(versions.map(({ text }) => text)).toEqual([`Wrong words for ${kind}`, '']);
    const { hits } = await callEngine(engine, 'search.messages', {
      text: `Wrong words for ${kind}`,
      limit: 5,
    });
    expect(hits).toEqual([]);
  }
  await callEngine(ann, 'messages.edit', { id, text: `Right words for ${kind}` });
  expect(await seen(ben, kind, `Right words for ${kind}`)).toMatchObject({ id: atBen.id });
});

test('a text cannot be emptied by an edit', async () => {
  const { id } = await callEngine(ann, 'messages.send', { conversationId: people.chat, text: 'Words' });
  await expect(callEngine(ann, 'messages.edit', { id, text: ' ' })).rejects.toMatchObject({
    code: 'message_empty',
  });
});

test('a caption that is removed before its files are sent is not sent', async () => {
  await relay.stop();
  const file = { bytes: randomBytes(2_000), name: 'late.pdf', mediaType: 'application/pdf' };
  const { id } = await sendFiles(ann, people.chat, [file], 'Secret words');
  const edited = await callEngine(ann, 'messages.edit', { id, text: '' });
  expect(edited).toMatchObject({ text: '', state: 'queued', editedAt: null });
  await relay.start();
  for (const engine of [ann, ben]) await callEngine(engine, 'connection.retry', {});
  const list = async () =>
    callEngine(ben, 'messages.list', { conversationId: await chatOf(ben, 'direct'), limit: 200 });
  const { messages } = await eventually(list, (page) =>
    page.messages.some(({ files }) => files[0]?.name === 'late.pdf'),
  );
  expect(messages.find(({ files }) => files[0]?.name === 'late.pdf')).toMatchObject({
    text: '',
    editedAt: null,
  });
});
