/** Shared by the quick and the slow tests of files-hostile. */
import { statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { eventually, type TestEngine } from '../../support/engine.ts';
import { namesOnDisk } from '../../support/file-chat.ts';
import type { HostileRelay } from '../../support/hostile-relay/proxy.ts';

export const CHUNK = 65_536 + 16;

/** The true answer of the real relay, from a position on. */
export async function trueBytes(hostile: HostileRelay, request: IncomingMessage): Promise<Buffer> {
  const answer = await fetch(hostile.relay.url + request.url, {
    headers: { authorization: request.headers.authorization ?? '' },
  });
  return Buffer.from(await answer.arrayBuffer());
}

/** Waits until the only file on the disk has a length. */
export const written = (engine: TestEngine, length: number) =>
  eventually(
    async () => {
      const [name] = namesOnDisk(engine);
      return name === undefined ? 0 : statSync(join(engine.folder.path, 'files', name)).size;
    },
    (size) => size === length,
  );

export const OCTETS = { 'content-type': 'application/octet-stream' };
