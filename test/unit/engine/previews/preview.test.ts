/** Previews of hostile sites: a real server with TLS on this computer, which counts as public in most tests. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Network } from '../../../../src/engine/previews/get-public.ts';
import { Previews, publicInternet } from '../../../../src/engine/previews/preview.ts';
import { isPublicAddress } from '../../../../src/engine/previews/public-address.ts';
import { makeCertificate } from '../../../support/certificate.ts';

const HOST = 'site.test';
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
const page = (head: string) => `<!doctype html><head><title>A page</title>${head}</head>`;

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const answers = new Map<string, Answer>();
let requests: IncomingMessage[] = [];
let folder: string;
let server: Server;
let origin: string;
let network: Network;

const html =
  (text: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text);
const redirect =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location }).end();
const image =
  (body: Buffer, type = 'image/png'): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(body);
const paths = () => requests.map(({ url }) => url);
const previewOf = (path: string, part: Partial<Network> = {}) =>
  new Previews({ ...network, ...part }).of(origin + path);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waxwing-previews-'));
  const { certificateFile, keyFile, text } = makeCertificate(folder, HOST);
  server = createServer(
    { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
    (request, response) => {
      requests.push(request);
      const answer = answers.get(request.url ?? '');
      if (answer) answer(response, request);
      else response.writeHead(404).end();
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `https://${HOST}:${(server.address() as AddressInfo).port}`;
  const lookup = ((_host: string, _options: object, callback: (...found: unknown[]) => void) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as Network['lookup'];
  network = {
    isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address),
    lookup,
    ca: text,
    hasProxy: async () => false,
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  answers.clear();
  requests = [];
});

test('a page with a picture has a preview, and the request reveals neither the app nor earlier visits', async () => {
  answers.set('/', html(page('<meta property="og:image" content="/a.png">'), { 'set-cookie': 'seen=1' }));
  answers.set('/a.png', image(PNG));
  const previews = new Previews(network);
  const expected = { title: 'A page', description: null, image: PNG.toString('base64') };
  expect(await previews.of(`${origin}/`)).toEqual(expected);
  expect(await previews.of(`${origin}/`)).toEqual(expected);
  expect(paths()).toEqual(['/', '/a.png', '/', '/a.png']);
  for (const { headers } of requests) {
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(JSON.stringify(headers).toLowerCase()).not.toContain('waxwing');
  }
});

test('texts are on one line, without marks of direction, and bounded', async () => {
  const long = 'ü'.repeat(1_000);
  answers.set(
    '/',
    html(`<title>In\u202evoice\u0007\n \u200bpdf</title><meta name=description content="${long}">`),
  );
  const preview = await previewOf('/');
  expect(preview?.title).toBe('Invoice pdf');
  expect(Buffer.byteLength(preview?.description ?? '')).toBeLessThanOrEqual(500);
  expect(preview?.description?.endsWith('ü…')).toBe(true);
});

test('three redirects are followed, and no fourth', async () => {
  answers.set('/1', redirect('/2'));
  answers.set('/2', redirect(`${origin}/3`));
  answers.set('/3', redirect('/end'));
  answers.set('/end', html(page('')));
  answers.set('/0', redirect('/1'));
  expect(await previewOf('/1')).not.toBeNull();
  requests = [];
  expect(await previewOf('/0')).toBeNull();
  expect(paths()).toEqual(['/0', '/1', '/2', '/3']);
  answers.set('/loop', redirect('/loop'));
  requests = [];
  expect(await previewOf('/loop')).toBeNull();
  expect(paths()).toHaveLength(4);
});

test.each([
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://2130706434/',
  'http://site.test/',
  'file:///etc/passwd',
  'https://user@site.test/',
])('a redirect to %s is not followed', async (location) => {
  answers.set('/', redirect(location));
  const resolved: string[] = [];
  const lookup = ((host: string, options: object, callback: never) => {
    resolved.push(host);
    network.lookup(host, options, callback);
  }) as unknown as Network['lookup'];
  expect(await previewOf('/', { lookup })).toBeNull();
  expect(resolved).toEqual([HOST]);
});

test('a name of this computer or its network is refused before a connection, in the first address and the next', async () => {
  answers.set('/', html(page('')));
  expect(await previewOf('/', { isPublic: isPublicAddress })).toBeNull();
  const away = origin.replace(HOST, '127.0.0.1');
  expect(await new Previews({ ...network, isPublic: isPublicAddress }).of(`${away}/`)).toBeNull();
  expect(requests).toEqual([]);
});

test('C12: the address of the connection decides, not the resolved one', async () => {
  answers.set('/', html(page('')));
  let checks = 0;
  // True for the answer of the name server, false for the connection.
  const isPublic = () => {
    checks += 1;
    return checks === 1;
  };
  expect(await previewOf('/', { isPublic })).toBeNull();
  expect(checks).toBe(2);
  expect(requests).toEqual([]);
});

test('nothing is fetched where a proxy is set', async () => {
  answers.set('/', html(page('')));
  expect(await previewOf('/', { hasProxy: async () => true })).toBeNull();
  expect(requests).toEqual([]);
});

test('an untrusted certificate has no preview', async () => {
  answers.set('/', html(page('')));
  const { ca, ...others } = network;
  expect(await new Previews(others).of(`${origin}/`)).toBeNull();
  expect(ca).toBeDefined();
  expect(requests).toEqual([]);
});

test('an endless page is read up to 512 KiB', async () => {
  let sent = 0;
  answers.set('/', (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(page(''));
    const piece = Buffer.alloc(64 * 1024, 'a');
    const write = () => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return response.once('drain', write);
      }
    };
    write();
  });
  expect((await previewOf('/'))?.title).toBe('A page');
  // The socket buffers of both sides are larger than the bytes read.
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test('a page that drips ends with the time, and the next preview ends the one before', async () => {
  answers.set('/', (response) => response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Sl'));
  const end = new AbortController();
  const within = (signal: AbortSignal) => AbortSignal.any([signal, end.signal]);
  const slow = new Previews(network, within);
  const first = slow.of(`${origin}/`);
  await expect.poll(paths).toEqual(['/']);
  end.abort();
  expect(await first).toBeNull();
  const previews = new Previews(network);
  const replaced = previews.of(`${origin}/`);
  await expect.poll(paths).toEqual(['/', '/']);
  answers.set('/next', html(page('')));
  expect((await previews.of(`${origin}/next`))?.title).toBe('A page');
  expect(await replaced).toBeNull();
  const stopped = previews.of(`${origin}/`);
  await expect.poll(() => paths().length).toBe(4);
  previews.stop();
  expect(await stopped).toBeNull();
});

test('compressed answers are not inflated', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000, 'a'));
  answers.set('/', (response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb),
  );
  expect(await previewOf('/')).toBeNull();
});

test.each([
  ['text/plain', '<title>A page</title>'],
  ['image/svg+xml', '<svg><title>A page</title></svg>'],
  ['application/xhtml+xml', '<title>A page</title>'],
  ['', '<title>A page</title>'],
])('a page of type "%s" has no preview', async (type, body) => {
  answers.set('/', (response) =>
    response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body),
  );
  expect(await previewOf('/')).toBeNull();
});

test('an SVG, a longer picture and one at a private address are left out', async () => {
  answers.set('/svg', html(page('<meta property="og:image" content="/a.svg">')));
  answers.set('/a.svg', image(Buffer.from('<svg onload="alert(1)"/>'), 'image/svg+xml'));
  answers.set('/huge', html(page('<meta property="og:image" content="/huge.png">')));
  answers.set('/huge.png', image(Buffer.concat([PNG, Buffer.alloc(512 * 1024)])));
  answers.set('/inside', html(page('<meta property="og:image" content="https://192.168.1.1/a.png">')));
  answers.set('/script', html(page('<meta property="og:image" content="javascript:alert(1)">')));
  for (const path of ['/svg', '/huge', '/inside', '/script'])
    expect(await previewOf(path)).toEqual({ title: 'A page', description: null, image: null });
});

test('the app uses the public internet', () => {
  expect(publicInternet.isPublic).toBe(isPublicAddress);
  expect(publicInternet.ca).toBeUndefined();
});
