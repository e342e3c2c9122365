/**
 * App and command line in the network of an office: its proxy, and its own certificate authority.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSignedCertificate } from '../../support/certificate.ts';
import { callEngine, eventually, setUpWithPhrase, temporaryFolder } from '../../support/engine.ts';
import { ConnectProxy, TlsFront } from '../../support/private-network.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { ServedApp } from '../../support/served-app.ts';
import { type Outcome, waxwingProcess } from '../../support/waxwing-command.ts';

const RELAY = 'https://relay.example';
const PASSPHRASE = 'plumage under a warm lamp';
/** Proxy settings of the computer that runs the tests. */
const NOTHING = {
  HTTPS_PROXY: '',
  https_proxy: '',
  ALL_PROXY: '',
  all_proxy: '',
  NO_PROXY: '',
  no_proxy: '',
};

let resources: AsyncDisposableStack;
let folder: string;
let relay: TestRelay;
let front: TlsFront;
let proxy: ConnectProxy;
let authorityFile: string;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  folder = resources.use(temporaryFolder()).path;
  const certificate = makeSignedCertificate(folder, ['relay.example', 'localhost']);
  authorityFile = certificate.authorityFile;
  relay = resources.use(await new TestRelay({ publicUrl: RELAY, limits: { rates: ROOMY_RATES } }).start());
  front = resources.use(await new TlsFront(certificate, relay.running.port).start());
  proxy = resources.use(await new ConnectProxy(front.port).start());
});
afterEach(() => resources.disposeAsync());

/** As started by the person: the system trusts the authority, and the environment names a proxy. */
async function serve(env: Record<string, string>): Promise<ServedApp> {
  const known = { ...NOTHING, SSL_CERT_FILE: authorityFile, WAXWING_PASSPHRASE: PASSPHRASE, ...env };
  return resources.use(await ServedApp.start(join(folder, 'app'), { env: known }));
}

/** The command line in its own process: Node reads NODE_EXTRA_CA_CERTS when it starts. */
function command(args: string[], env: Record<string, string>): Promise<Outcome> {
  const identity = join(folder, 'bot.json');
  const known = { ...NOTHING, NODE_EXTRA_CA_CERTS: authorityFile, WAXWING_IDENTITY: identity, ...env };
  return waxwingProcess(args, { env: known });
}

const init = (env: Record<string, string>) => command(['init', '--relay', RELAY], env);
const check = (app: ServedApp, url = RELAY) => callEngine(app, 'relay.check', { url });

test('the app reaches a server through the configured proxy, and trusts the system’s authorities', async () => {
  const app = await serve({ HTTPS_PROXY: proxy.url });
  expect(await check(app)).toMatchObject({ ok: true, problem: null });
  expect(proxy.requests).toEqual(['relay.example:443']);

  await callEngine(app, 'settings.set', { proxy: { kind: 'none' } });
  expect(await check(app)).toMatchObject({ problem: { code: 'relay_name_unknown' } });

  const other = resources.use(await new ConnectProxy(front.port).start());
  await callEngine(app, 'settings.set', { proxy: { kind: 'address', address: other.url } });
  expect(await check(app)).toMatchObject({ ok: true });
  expect(other.requests).toEqual(['relay.example:443']);

  // On this computer nothing goes through a proxy, under any setting.
  expect(await check(app, relay.url)).toMatchObject({ ok: true });
  // The relay answers there, too, but not under that name.
  expect(await check(app, `https://localhost:${front.port}`)).toMatchObject({
    problem: { code: 'not_a_relay' },
  });
  expect(other.requests).toHaveLength(1);
  expect(proxy.requests).toHaveLength(1);

  // Errors of a proxy name the proxy.
  const strict = resources.use(await new ConnectProxy(front.port).start());
  await callEngine(app, 'settings.set', { proxy: { kind: 'address', address: strict.url } });
  for (const status of [403, 407]) {
    strict.refusal = status;
    expect(await check(app)).toMatchObject({ problem: { code: 'proxy_refused', parameters: { status } } });
  }
  await strict.close();
  expect(await check(app)).toMatchObject({ problem: { code: 'proxy_unreachable' } });
});

test('a changed proxy applies at once, also to open polls and while locked', async () => {
  const app = await serve({});
  await callEngine(app, 'settings.set', { proxy: { kind: 'address', address: proxy.url } });
  await setUpWithPhrase(app, 'ann', { kind: 'url', url: RELAY });
  const stateIs = (wanted: string) =>
    eventually(
      () => callEngine(app, 'connection.get', {}),
      ({ state }) => state === wanted,
    );
  await stateIs('online');

  await callEngine(app, 'settings.set', { proxy: { kind: 'none' } });
  await stateIs('offline');
  await callEngine(app, 'settings.set', { proxy: { kind: 'address', address: proxy.url } });
  await stateIs('online');

  await callEngine(app, 'lock.now', {});
  const bot = { HTTPS_PROXY: proxy.url };
  expect(await init(bot)).toMatchObject({ code: 0 });
  expect(await command(['send', '@ann', 'while you are out', '--request'], bot)).toMatchObject({ code: 0 });
  await eventually(
    () => callEngine(app, 'lock.state', {}),
    ({ messagesWaiting }) => messagesWaiting,
  );
});

test('a command uses HTTPS_PROXY with its login, trusts NODE_EXTRA_CA_CERTS, and ends without a signal', async () => {
  const withPassword = proxy.url.replace('//', '//bot:s%3Acret@');
  expect(await init({ HTTPS_PROXY: withPassword })).toMatchObject({ code: 0, stderr: '' });
  expect(new Set(proxy.requests)).toEqual(new Set(['relay.example:443']));
  expect(proxy.credentials).toBe(`Basic ${Buffer.from('bot:s:cret').toString('base64')}`);
});

test.each([
  ['NODE_EXTRA_CA_CERTS is not set', { NODE_EXTRA_CA_CERTS: '' }, 'The relay’s certificate is not trusted.'],
  [
    'NO_PROXY names the relay',
    { NO_PROXY: '.relay.example' },
    'The name in the relay’s address was not found.',
  ],
  [
    'HTTPS_PROXY is not the address',
    { HTTPS_PROXY: 'socks5://ann:secret@proxy:1' },
    'HTTPS_PROXY is not the address',
  ],
])('a command reports that %s', async (_name, env, sentence) => {
  const { code, stderr } = await init({ HTTPS_PROXY: proxy.url, ...env });
  expect(code).not.toBe(0);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('secret');
});
