/**
 * deploy/compose/compose.yaml without containers: the commands of its relays as processes, with the settings of its file
 * of secrets, on a real PostgreSQL and an S3 server that others wrote, behind its Caddyfile where there is a Caddy.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runAdminCommand } from '../../src/relay/admin/client.ts';
import { WaxwingProcess } from '../e2e/support/waxwing.ts';
import { TestBucket } from '../support/bucket.ts';
import { temporaryFolder } from '../support/engine.ts';
import { freePort } from '../support/free-port.ts';
import { Front, missingForFront } from '../support/front.ts';
import { newEmptyDatabase } from '../support/relay-database.ts';
import { metricsOf } from '../support/shipped-relay.ts';
import { waxwingProcess } from '../support/waxwing-command.ts';

const folder = fileURLToPath(new URL('../../deploy/compose/', import.meta.url));

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: string[] | Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  restart?: string;
  networks: string[];
  read_only?: boolean;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
}

const file = readFileSync(join(folder, 'compose.yaml'), 'utf8');
const compose = parse(file, { merge: true }) as Compose;
const RELAYS = ['relay-one', 'relay-two'] as const;

/** A service as compose starts it, with the variables of the file of secrets. */
function service(name: string, variables: Record<string, string>) {
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)(?::(?:\?[^}]*|-([^}]*)))?\}/g, (_, key: string, usual?: string) => {
      const value = variables[key] ?? usual;
      if (value === undefined) throw new Error(`${key} is not among the settings`);
      return value;
    });
  const { command = [], environment = {} } = compose.services[name] ?? {};
  const entries = Object.entries(environment).map(([key, value]) => [key, filled(value)]);
  return { command: command.map(filled), environment: Object.fromEntries(entries) as Record<string, string> };
}

/** The same on this machine: without the names and places that containers have. */
function onThisMachine(text: string, places: Record<string, string>): string {
  return Object.entries(places).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

test('the files and images of the compose file exist, and each setting has a sentence for its absence', () => {
  const { services, volumes, networks } = compose;
  const example = readFileSync(join(folder, 'example.env'), 'utf8');
  const settings = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  const required = [...file.matchAll(/\$\{(\w+):\?[^}]+\}/g)].map(([, name]) => name);
  expect([...new Set(required)].sort()).toEqual(settings.sort());
  for (const { depends_on: before = [], volumes: places = [], networks: nets } of Object.values(services)) {
    const others = Array.isArray(before) ? before : Object.keys(before);
    for (const other of others) expect(services).toHaveProperty(other);
    for (const place of places.filter((each) => !each.startsWith('.')))
      expect(volumes).toHaveProperty(place.split(':')[0] ?? '');
    for (const net of nets) expect(networks).toHaveProperty(net);
  }
  const proxy = services.proxy?.environment?.WAXWING_RELAYS?.split(' ');
  expect(proxy).toEqual(RELAYS.map((name) => `${name}:8787`));
  for (const name of RELAYS) {
    const command = services[name]?.command ?? [];
    for (const host of proxy ?? []) expect(command).toContain(`--accept-host=${host}`);
    expect(command).toContain(`--trusted-proxy=${networks.inside?.ipam.config[0]?.subnet}`);
    expect(services[name]?.read_only).toBe(true);
  }
});

test('each image has a version, and that of the relay matches this checkout', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const [name, { image }] of Object.entries(compose.services)) {
    if (RELAYS.some((relay) => relay === name)) expect(image).toBe(`\${WAXWING_IMAGE:-waxwing:${version}}`);
    else expect(image, name).toMatch(/:v?\d+\.\d+(\.\d+)?$/);
  }
});

test('a service restarts until the operator stops it, and the one-off job restarts after a failure', () => {
  for (const [name, { restart }] of Object.entries(compose.services))
    expect(restart, name).toBe(name === 'bucket-setup' ? 'on-failure' : 'unless-stopped');
});

test('only this machine reaches the metrics of the relays', () => {
  const ports = RELAYS.flatMap((name) => compose.services[name]?.ports ?? []);
  expect(ports).toEqual(['127.0.0.1:9464:9464', '127.0.0.1:9465:9464']);
  for (const name of RELAYS) expect(compose.services[name]?.command).toContain('--metrics-port=9464');
});

const missing = missingForFront('caddy');
if (missing !== null) console.warn(`The commands of the compose file are not run: ${missing}.`);

describe.skipIf(missing !== null)('the commands of the compose file', () => {
  test('deliver messages, also when one relay is killed', async () => {
    using place = temporaryFolder();
    await using bucket = await new TestBucket('waxwing').start();
    const database = await newEmptyDatabase();
    const [front, ...ports] = [await freePort(), await freePort(), await freePort()];
    const { accessKeyId, secretAccessKey, endpoint } = bucket.place.bucket;
    const settings = {
      WAXWING_HOST: `localhost:${front}`,
      POSTGRES_PASSWORD: 'secret',
      BUCKET_KEY: accessKeyId,
      BUCKET_SECRET: secretAccessKey,
    };
    const start = (name: string, port = 0) => {
      const { command, environment } = service(name, settings);
      const places = {
        'postgres://waxwing:secret@database:5432/waxwing': database ?? '',
        'http://bucket:7070': endpoint,
        '/data': join(place.path, name),
        '0.0.0.0': '127.0.0.1',
        '=8787': `=${port}`,
        '=9464': '=0',
        '172.30.99.0/24': '127.0.0.1',
        '--drain=6': '--drain=0',
        '--metrics-port=9464': '--metrics-port=0',
      };
      const local = (text: string) => onThisMachine(text, places);
      const entries = Object.entries(environment).map(([key, value]) => [key, local(value)]);
      return new WaxwingProcess(command.map(local), [], Object.fromEntries(entries));
    };
    await using one = start('relay-one', ports[0]);
    await using two = start('relay-two', ports[1]);
    await Promise.all([one.url(), two.url()]);
    for (const relay of [one, two]) expect(await metricsOf(relay)).toContain('waxwing_held_polls');
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    await using proxy = await new Front('caddy', addresses, { host: 'localhost', port: front }).start();

    const { code: invitation } = await runAdminCommand(join(place.path, 'relay-one'), 'invite', {
      uses: 2,
      expires: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const run = async (name: string, ...args: string[]) => {
      const env = {
        WAXWING_IDENTITY: join(place.path, `${name}.json`),
        NODE_EXTRA_CA_CERTS: proxy.certificateFile,
      };
      const outcome = await waxwingProcess(args, { env });
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      return outcome.stdout;
    };
    const relay = ['--relay', `https://localhost:${front}`, '--invitation', invitation];
    await run('ann', 'init', '--handle', 'compose_ann', ...relay);
    await run('bea', 'init', '--handle', 'compose_bea', ...relay);
    await run('ann', 'send', '@compose_bea', 'through the compose file');
    expect(await run('bea', 'inbox')).toContain('through the compose file');
    await one.stop('SIGKILL');
    await run('ann', 'send', '@compose_bea', 'with one relay less');
    expect(await run('bea', 'inbox')).toContain('with one relay less');
  });
});
