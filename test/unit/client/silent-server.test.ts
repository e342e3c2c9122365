/** The sentences about a server that accepts connections and never answers. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { explained } from '../../../src/cli/connection.ts';
import { explain } from '../../../src/cli/errors.ts';
import { checkRelay } from '../../../src/client/check.ts';
import { RelayHttp } from '../../../src/client/http.ts';
import { wordsIn } from '../../../src/words/catalogues.ts';
import { failureSentence } from '../../../src/words/failures.ts';

/** The time limit of a call and that of the check of an address, in milliseconds. */
const CALL_LIMIT = 15_000;
const CHECK_LIMIT = 5_000;
const TOKEN = `sk_live_${'a'.repeat(43)}`;

let server: Server;
let url: string;
/** Time that passes after each request. */
let wait = 0;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server = createServer(() => vi.advanceTimersByTime(wait));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await once(server.close(), 'close');
});

test('a command reports that a silent relay did not answer in time', async () => {
  wait = CALL_LIMIT;
  const call = new RelayHttp(url).call('getMe', { token: TOKEN });
  const error = await explained(call, url, null).catch((reason: unknown) => reason);
  expect(explain(error)).toBe(
    `The relay did not answer in time. The relay is ${url}. Choose another one with --relay or WAXWING_RELAY.`,
  );
});

test('the app reports that a silent server did not answer in time', async () => {
  wait = CHECK_LIMIT;
  const { ok, problem } = await checkRelay(url);
  if (!problem) throw new Error('no problem was reported');
  expect([ok, failureSentence(wordsIn('en'), problem)]).toEqual([
    false,
    'The server didn’t answer in time. Try again.',
  ]);
});
