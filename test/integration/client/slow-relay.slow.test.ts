/** Relays that are too slow with the bytes of a file. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RelayClient, sealFile } from '../../../src/client/index.ts';
import { PART_BYTES } from '../../../src/protocol/blob/layout.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { apiKeyOf, newPerson } from '../../support/person.ts';
import { CuttingProxy, type Exchange } from '../../support/proxy.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 24 * 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Advances the clock of transfers by a day at the next matching exchange, as if the relay needed that long. */
function delayAt(proxy: CuttingProxy, matches: (exchange: Exchange) => boolean): void {
  proxy.cuts = (exchange) => {
    if (!matches(exchange)) return false;
    vi.advanceTimersByTime(DAY);
    proxy.cuts = () => false;
    return false;
  };
}

test('a transfer whose relay reads or sends too slowly ends, and is continued later', async () => {
  using folder = temporaryFolder();
  await using relay = await new TestRelay().start();
  await using proxy = await new CuttingProxy().start();
  proxy.target = relay.url;
  const secret = await apiKeyOf(await newPerson(relay), { entitlements: ['blobs'] });
  const source = join(folder.path, 'source');
  // More bytes than the buffers of a connection hold.
  writeFileSync(source, randomBytes(PART_BYTES * 2));
  const spool = join(folder.path, 'spool');
  const target = join(folder.path, 'target');
  const file = await sealFile(source, spool);
  const client = new RelayClient({ relay: proxy.url, secret });
  let putParts = 0;
  delayAt(proxy, ({ path, stage }) => path.endsWith('/parts/1') && stage === 'before');
  await expect(client.uploadFile(file, spool)).rejects.toMatchObject({ code: 'file_too_slow' });
  proxy.cuts = ({ method, stage }) => {
    if (method === 'PUT' && stage === 'before') putParts += 1;
    return false;
  };
  await client.uploadFile(file, spool);
  // The call that begins, and the parts without the first.
  expect(putParts).toBe(1 + 2);
  delayAt(proxy, ({ method, stage }) => method === 'GET' && stage === 'after');
  await expect(client.fetchFile(file, target)).rejects.toMatchObject({ code: 'file_too_slow' });
  await client.fetchFile(file, target);
  expect(statSync(target).size).toBe(statSync(source).size);
  client.close();
});
