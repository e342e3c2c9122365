/**
 * The devices of an identity's address, from the command line.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walletFromKey } from '../../../src/protocol/wallet.ts';
import { type Bot, newBot } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
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

test('a device that is lost is found in the list and removed', async () => {
  const listed = await answer<{ devices: { deviceId: string; thisDevice: boolean }[] }>([
    'devices',
    'list',
    '--identity',
    file,
  ]);
  const others = listed.devices.filter(({ thisDevice }) => !thisDevice);
  expect(others).toMatchObject([{ deviceId: second.identity.deviceId, type: 'api', receives: true }]);
  const { said } = await waxwing(['devices', 'list', '--identity', file]);
  expect(said).toMatch(new RegExp(`^${first.identity.deviceId} .* this device$`, 'm'));

  const { deviceId } = second.identity;
  const args = ['devices', 'remove', deviceId, '--identity', file];
  expect(await waxwing(args)).toEqual({ code: 0, said: `Removed ${deviceId}.\n`, complained: '' });
  expect((await first.client.keys(first.identity.address)).deviceList.devices).toMatchObject([
    { deviceId: first.identity.deviceId },
  ]);
  expect(await waxwing(args)).toMatchObject({
    code: 5,
    complained: `Your address has no device ${deviceId}.\n`,
  });
});

test('an identity does not remove itself', async () => {
  const args = ['devices', 'remove', first.identity.deviceId, '--identity', file];
  expect(await waxwing(args)).toMatchObject({
    code: 1,
    complained: expect.stringContaining('with another one'),
  });
});
