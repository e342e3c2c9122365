/** The stored port of the embedded relay. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const FILE = 'port';

/** The last port if it is still free, otherwise 0: any free one. */
export async function lastPort(folder: string): Promise<number> {
  let port: number;
  try {
    port = Number(readFileSync(join(folder, FILE), 'utf8'));
  } catch {
    return 0;
  }
  return Number.isInteger(port) && port > 0 && port < 65_536 && (await isFree(port)) ? port : 0;
}

/** Stores the port for the next start. */
export function rememberPort(folder: string, port: number): void {
  writeFileSync(join(folder, FILE), String(port));
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}
