/**
 * A relay and a program that sends and fetches a file through it, in one process: prints by how many bytes the process grew
 * while a large file went through, after a small one had. Takes a folder and the length of the large file.
 */
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sealFile } from '../../src/client/files/spool.ts';
import { Identity } from '../../src/client/identity/identity.ts';
import { RelayClient } from '../../src/client/index.ts';
import { startRelay } from '../../src/relay/index.ts';
import { ROOMY_RATES } from './rates.ts';

const [folder = '', length = '0'] = process.argv.slice(2);
const MEBIBYTE = 1024 * 1024;
const relay = await startRelay({
  dataDirectory: join(folder, 'relay'),
  port: 0,
  limits: { rates: ROOMY_RATES, blobBytes: 1024 * MEBIBYTE },
});
const identity = Identity.create({ file: join(folder, 'identity.json') });
await identity.register(relay.url);
const client = new RelayClient({ identity });

async function sendAndFetch(name: string, bytes: number): Promise<void> {
  const source = join(folder, name);
  const descriptor = openSync(source, 'w');
  const piece = Buffer.alloc(MEBIBYTE);
  for (let at = 0; at < bytes; at += MEBIBYTE) {
    randomFillSync(piece);
    writeSync(descriptor, piece);
  }
  closeSync(descriptor);
  const file = await sealFile(source, `${source}.sealed`);
  await client.uploadFile(file, `${source}.sealed`);
  await client.fetchFile(file, `${source}.fetched`);
}

await sendAndFetch('small', 4 * MEBIBYTE);
const before = process.resourceUsage().maxRSS;
await sendAndFetch('large', Number(length));
const grown = (process.resourceUsage().maxRSS - before) * 1024;
client.close();
await relay.close();
console.log(JSON.stringify({ grown }));
