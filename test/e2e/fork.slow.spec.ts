/**
 * Device lists that contradict each other, and lists that a relay hides: the person's view and actions.
 */
import type { Browser } from '@playwright/test';
import type { DeviceList } from '../../src/protocol/device-list.ts';
import type { AddressKeys } from '../../src/protocol/schemas/directory.ts';
import { HostileRelay } from '../support/hostile-relay/proxy.ts';
import { newPerson, type Person, TestDevice } from '../support/person.ts';
import { App } from './support/app.ts';
import { firstRun, send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

/** Ann's app, and Dora with two devices. Ann has written to Dora. */
async function newScene(browser: Browser, hostile: HostileRelay): Promise<{ ann: App; dora: Person }> {
  const ann = new App(await (await browser.newContext()).newPage(), hostile.url);
  const { page } = ann;
  await ann.start();
  await firstRun(page, 'ann');
  const dora = await newPerson(hostile.relay);
  await hostile.relay.call('putHandle', { token: dora.token, body: { handle: 'dora' } });
  await dora.publishDevices([dora.device, new TestDevice()]);
  await startChat(page, '@dora');
  await send(page, 'to both devices');
  await expect(page.getByRole('article', { name: /Your message, .+, sent/ })).toHaveCount(1);
  return { ann, dora };
}

/** From now on the relay shows this list of Dora's. A rejected seal key makes Ann's app request it. */
async function show(hostile: HostileRelay, dora: Person, deviceList: DeviceList): Promise<void> {
  hostile.lie(({ path, status, body }) =>
    path.includes(`/keys/${dora.address}`) && status === 200
      ? { ...(body as AddressKeys), deviceList }
      : undefined,
  );
  dora.device.rotate();
  await dora.publishSealKey();
}

test('two signed device lists stop sending until the person has compared them and chosen one', async ({
  browser,
}) => {
  await using hostile = await HostileRelay.start();
  const { ann: app, dora } = await newScene(browser, hostile);
  await using ann = app;
  const { page } = ann;
  const known = dora.list;
  if (!known) throw new Error('Dora has no list');
  const { sequence, previous } = known;
  const thief = new TestDevice();
  const other = dora.nextList([dora.device, thief], { sequence, previous });
  await show(hostile, dora, other);
  await send(page, 'for whom?');
  const failed = page.getByRole('article', { name: /Your message, .+, not sent/ });
  await expect(failed).toContainText('until you choose one in their details');
  const banner = page.getByRole('region', { name: 'Two device lists' });
  await expect(banner).toContainText('There are two different device lists for @dora, and both are signed.');

  await banner.getByRole('button', { name: 'Compare lists' }).click();
  const first = page.getByRole('region', { name: 'Device list: Used so far' });
  const second = page.getByRole('region', { name: 'Device list: The other one' });
  await expect(first).toContainText('Not shown by the server');
  await expect(second).toContainText('The server shows this one');
  await expect(second).toContainText(thief.id.slice(0, 8));
  await expect(second.getByText('Only in this list')).toHaveCount(1);

  // Asking and canceling chooses nothing.
  await second.getByRole('button', { name: 'Use this list' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Choose only what @dora told you.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(second).toBeVisible();

  await first.getByRole('button', { name: 'Use this list' }).click();
  await question.getByRole('button', { name: 'Use this list' }).click();
  await expect(page.getByRole('region', { name: 'Two device lists' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Waiting for devices' })).toContainText(
    'Waiting for @dora’s current devices',
  );
  hostile.answerTruthfully();
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('article', { name: /Your message, .+, sent/ })).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Waiting for devices' })).toHaveCount(0);
});

test('after the relay hides a newer list, the message explains its waiting until the list is shown', async ({
  browser,
}) => {
  await using hostile = await HostileRelay.start();
  const { ann: app, dora } = await newScene(browser, hostile);
  await using ann = app;
  const { page } = ann;
  const older = dora.list;
  if (!older) throw new Error('Dora has no list');
  await dora.publishDevices([dora.device]);
  dora.device.rotate();
  await dora.publishSealKey();
  await send(page, 'to one device');
  await expect(page.getByRole('region', { name: 'Devices changed' })).toContainText(
    /@dora’s devices changed on .+\./,
  );
  await expect(page.getByRole('article', { name: /Your message, .+, sent/ })).toHaveCount(2);

  await show(hostile, dora, older);
  await send(page, 'for whom?');
  const waiting = page.getByRole('article', { name: /Your message, .+, sending/ });
  await expect(waiting).toContainText(
    'Waiting for @dora’s current devices. The server doesn’t show them yet.',
  );
  await expect(page.getByRole('region', { name: 'Waiting for devices' })).toContainText(
    'Your messages are sent when it does',
  );
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Details' }).getByRole('status')).toContainText(
    'Waiting for @dora’s current devices',
  );

  hostile.answerTruthfully();
  // The app requests it again by itself, as after a network failure.
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByRole('article', { name: /Your message, .+, sent/ })).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Waiting for devices' })).toHaveCount(0);
});
