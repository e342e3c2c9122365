/**
 * The devices of an identity's address, from the command line.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HellosEntry } from '../../../src/client/identity/journal/hellos.ts';
import { Identity } from '../../../src/client/index.ts';
import { decodePayload } from '../../../src/protocol/payload.ts';
import { walletFromKey } from '../../../src/protocol/wallet.ts';
import { type Bot, newBot } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { answer, waxwing } from '../../support/waxwing-command.ts';

const relay = new TestRelay();
const folder = temporaryFolder();
const file = join(folder.path, 'first.json');
let first: Bot;
let second: Bot;
beforeAll(async () => {
  await relay.start();
  const wallet = walletFromKey(new Uint8Array(32).fill(0x44));
  first = await newBot(relay, { file, wallet });
  second = await newBot(relay, { file: join(folder.path, 'second.json'), wallet, keepWallet: false });
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test('a lost device is found in the list and removed', async () => {
  const listed = await answer<{ devices: { deviceId: string; thisDevice: boolean }[] }>([
    'devices',
    'list',
    '--identity',
    file,
  ]);
  const others = listed.devices.filter(({ thisDevice }) => !thisDevice);
  expect(others).toMatchObject([{ deviceId: second.identity.deviceId, type: 'api', receives: true }]);
  const { stdout } = await waxwing(['devices', 'list', '--identity', file]);
  expect(stdout).toMatch(new RegExp(`^${first.identity.deviceId} .* this device$`, 'm'));

  const { deviceId } = second.identity;
  const args = ['devices', 'remove', deviceId, '--identity', file];
  expect(await waxwing(args)).toEqual({ code: 0, stdout: `Removed ${deviceId}.\n`, stderr: '' });
  expect((await first.client.keys(first.identity.address)).deviceList.devices).toMatchObject([
    { deviceId: first.identity.deviceId },
  ]);
  expect(await waxwing(args)).toMatchObject({
    code: 5,
    stderr: `Your address has no device ${deviceId}.\n`,
  });
});

test('a device id that begins with a dash, as one in 64 does, is accepted as the list shows it', async () => {
  const wallet = first.identity.wallet ?? undefined;
  const make = () => Identity.create({ wallet, keepWallet: false });
  let dashed = make();
  while (!dashed.deviceId.startsWith('-')) dashed = make();
  await dashed.register(relay.url);

  const { stdout } = await waxwing(['devices', 'list', '--identity', file]);
  expect(stdout.split('\n').map((line) => line.split(' ')[0])).toContain(dashed.deviceId);
  expect(await waxwing(['devices', 'remove', dashed.deviceId, '--identity', file])).toEqual({
    code: 0,
    stdout: `Removed ${dashed.deviceId}.\n`,
    stderr: '',
  });
});

test.each(['-KulWpNQ1988ePvfdQqSww', '--ulWpNQ1988ePvfdQqSww'])(
  'the id %s is accepted before or behind the options',
  async (id) => {
    const missing = { code: 5, stdout: '', stderr: `Your address has no device ${id}.\n` };
    expect(await waxwing(['devices', 'remove', id, '--identity', file])).toEqual(missing);
    expect(await waxwing(['devices', 'remove', '--identity', file, id])).toEqual(missing);
    expect(await waxwing(['devices', 'remove', '--identity', file, '--', id])).toEqual(missing);
    expect(await waxwing(['devices', 'remove', id, '--identiy', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(Did you mean --identity?)'),
    });
  },
);

test('a command announces the change to contacts once it is due, and prints nothing about it', async () => {
  const dora = await newPerson(relay);
  const identity = ['--identity', file];
  await waxwing(['send', dora.address, 'hello Dora', ...identity]);
  const third = await newBot(relay, { wallet: first.identity.wallet ?? undefined });
  await waxwing(['devices', 'remove', third.identity.deviceId, ...identity]);
  const journal = `${file}.journal`;
  const plans = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"hellos"'));
  const { hellos, plannedList } = JSON.parse(plans.at(-1) ?? '') as HellosEntry;
  expect(hellos).toMatchObject([{ address: dora.address, dueAt: expect.any(Number), sentAt: null }]);
  // Minutes go by.
  const due = hellos.map((plan) => ({ ...plan, dueAt: 0 }));
  appendFileSync(journal, `\n${JSON.stringify({ hellos: due, plannedList })}`);
  expect(await waxwing(['resolve', dora.address, ...identity])).toMatchObject({ code: 0, stderr: '' });
  const kinds = async () =>
    (await dora.inbox()).map((envelope) => decodePayload(dora.openBytes(envelope)).body.kind);
  expect(await kinds()).toEqual(['text', 'hello']);
  await waxwing(['resolve', dora.address, ...identity]);
  expect(await kinds()).toEqual(['text', 'hello']);
});

test('an identity cannot remove itself', async () => {
  const args = ['devices', 'remove', first.identity.deviceId, '--identity', file];
  expect(await waxwing(args)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('with another device'),
  });
});
