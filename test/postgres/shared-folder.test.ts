import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/engine.ts';
import { newPerson } from '../support/person.ts';
import { TestRelay } from '../support/relay.ts';
import { newDatabase } from '../support/relay-database.ts';
import { readBlob, TestBlob } from '../support/test-blob.ts';

test('relays on one machine share a folder of files: any of them stores a part, and any of them returns the file', async () => {
  using files = temporaryFolder();
  const database = (await newDatabase()) ?? '';
  const options = { database, blobs: { folder: files.path }, publicUrl: 'https://relay.example' };
  await using one = await new TestRelay(options).start();
  await using two = await new TestRelay(options).start();
  const { token } = await newPerson(one);
  const blob = new TestBlob(9 * 1024 * 1024);
  expect(blob.partCount).toBe(2);
  const { params, size } = blob;
  await one.call('beginBlob', { token, params, body: { size } });
  await two.call('putBlobPart', { token, ...blob.part(0) });
  await one.call('putBlobPart', { token, ...blob.part(1) });
  await two.call('completeBlob', { token, params });
  for (const relay of [one, two]) {
    const { status, bytes } = await readBlob(relay, token, blob.id);
    expect([status, bytes.equals(blob.bytes)]).toEqual([200, true]);
  }
});
