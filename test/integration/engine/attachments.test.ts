/**
 * V7, V8, C11: attachments of a stranger. With wrong fields it is a message of a later version; with right ones it is
 * described with a safe name. In both cases no file appears on the disk.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import { CONTENT_MARKER, FILE_NAMES, hostileAttachments } from '../../support/hostile-attachments.ts';
import { directBody, forge, targetOf } from '../../support/hostile-relay/forgery.ts';
import { messagesOf, newHonest } from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson } from '../../support/person.ts';

/** All files below a folder, except those that SQLite creates and removes at any time. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/-(?:wal|shm|journal)$/.test(name))
    .sort();

/** File names in folders that other programs may use meanwhile: only names that an attachment could have. */
const strays = (folder: string) =>
  readdirSync(folder).filter((name) =>
    /escaped|^(?:con|nul|com1|lpt1|aux)\b|autorun|desktop\.ini/i.test(name),
  );

test('V7, V8, C11: an attachment is a message of a later version and creates no file', async () => {
  await using hostile = await HostileRelay.start();
  const ben = await newHonest(hostile, 'ben');
  const { engine } = ben;
  const dora = await newPerson(hostile.relay);
  const target = await targetOf(hostile, dora.token, ben.address);
  const { signer } = dora;
  const before = filesOf(engine.folder.path);
  const around = [process.cwd(), tmpdir(), join(realpathSync(engine.folder.path), '..'), '/etc', '/'];
  const straysBefore = around.map(strays);

  const fallback = 'Dora sent a file.';
  const bodies = hostileAttachments(dora.address, target.address).map((body) => ({ ...body, fallback }));
  for (const body of bodies) {
    hostile.invent(target.deviceId, forge(dora.address, target, { channel: 'direct', body }, signer));
  }
  await callEngine(engine, 'connection.retry', {});
  const messages = await eventually(
    () => messagesOf(ben),
    (all) => all.length === FILE_NAMES.length,
  );
  for (const message of messages) {
    expect(message).toMatchObject({
      kind: 'newer',
      text: fallback,
      fields: {},
      event: null,
      trust: 'verified',
    });
  }
  // The interface receives no part of it: neither name, kind, content nor link.
  const [conversation] = await callEngine(engine, 'conversations.list', {});
  expect(conversation?.last?.summary.text).toBe(fallback);
  const answers = JSON.stringify([messages, conversation]);
  for (const word of ['escaped', 'base64', 'file:', '<img', CONTENT_MARKER])
    expect(answers).not.toContain(word);

  expect(filesOf(engine.folder.path)).toEqual(before);
  expect(around.map(strays)).toEqual(straysBefore);
  for (const name of readdirSync(engine.folder.path)) {
    const bytes = readFileSync(join(engine.folder.path, name));
    expect([name, bytes.includes(CONTENT_MARKER), bytes.includes('escaped')]).toEqual([name, false, false]);
  }
});

test('V7, V8: names of files are safe on all systems, and a request downloads nothing', async () => {
  await using hostile = await HostileRelay.start();
  const ben = await newHonest(hostile, 'ben');
  const { engine } = ben;
  const dora = await newPerson(hostile.relay);
  const target = await targetOf(hostile, dora.token, ben.address);
  const before = filesOf(engine.folder.path);
  const names = FILE_NAMES.filter((name) => name !== '' && Buffer.byteLength(name) <= 255);
  const sendable = names.filter((name) => !/\p{Cc}/u.test(name));
  for (const [index, name] of sendable.entries()) {
    const file = {
      ...{ key: encodeBase64Url(randomBytes(32)), digest: encodeBase64Url(randomBytes(32)) },
      ...{ size: index, mediaType: 'image/png', name, thumbnail: encodeBase64Url(Buffer.from('<svg/>')) },
    };
    const body = { ...directBody(dora.address, target.address, ''), kind: 'attachment', files: [file] };
    hostile.invent(target.deviceId, forge(dora.address, target, { channel: 'direct', body }, dora.signer));
  }
  await callEngine(engine, 'connection.retry', {});
  const messages = await eventually(
    () => messagesOf(ben),
    (all) => all.length === sendable.length,
  );
  for (const { kind, files } of messages) {
    const [file] = files;
    expect(kind).toBe('attachment');
    expect(file).toMatchObject({ state: 'remote', thumbnail: null });
    const name = file?.name ?? '';
    expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\u202a-\u202e\u200b]|^[.\s]|[.\s]$/u);
    expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  }
  expect(filesOf(engine.folder.path)).toEqual(before);
});
