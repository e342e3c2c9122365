/**
 * The origin of messages in the interface, with a hostile relay.
 */

import { directBody, forge, groupBody, targetOf } from '../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../support/hostile-relay/proxy.ts';
import { newPerson, type Person, TestDevice } from '../support/person.ts';
import { beginAs, placeAt } from '../support/relay-rosters.ts';
import { App } from './support/app.ts';
import { acceptRequest, firstRun, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

test('each trust level is shown: verified, via API, via bot, other devices, unverifiable', async ({
  browser,
}) => {
  await using hostile = await HostileRelay.start();
  await using ann = new App(await (await browser.newContext()).newPage(), hostile.url);
  const { page } = ann;
  await ann.start();
  await firstRun(page, 'ann');
  const dora = await newPerson(hostile.relay);
  const list = dora.nextList([dora.device], { unsigned: ['api'] });
  const sealKeys = [dora.device.statement(dora.address, hostile.relay.now())];
  await hostile.relay.call('putDevices', { token: dora.token, body: { deviceList: list, sealKeys } });
  dora.list = list;
  const { body: found } = await hostile.relay.call('getHandle', {
    token: dora.token,
    params: { handle: 'ann' },
  });
  const target = await targetOf(hostile, dora.token, found.address);

  /** Shows Ann's device a message from another person: signed, or by a program. Her app polls as after a network failure. */
  const show = async (from: Person, text: string, via: 'session' | 'api_key', fields = {}) => {
    const body = { ...directBody(from.address, target.address, text), ...fields };
    const signer = via === 'session' ? from.signer : null;
    const envelope = forge(from.address, target, { channel: 'direct', body }, signer, { via });
    hostile.invent(target.deviceId, envelope);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
  };
  /** Shows Ann's device a bot's post into a group of Dora's. */
  const post = async (groupId: string, text: string) => {
    const place = await placeAt(dora, groupId);
    const message = { channel: 'group' as const, body: groupBody(dora.address, groupId, place, text) };
    hostile.invent(target.deviceId, forge(dora.address, target, message, null, { via: 'group_token' }));
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
  };
  const expectMark = async (name: string, sentence: RegExp) => {
    const mark = page.getByRole('button', { name, exact: true });
    await expect(mark).toHaveCount(1);
    await mark.click();
    await expect(page.getByRole('dialog', { name, exact: true })).toContainText(sentence);
    await page.keyboard.press('Escape');
  };

  await test.step('each message shows how its sender is known', async () => {
    await show(dora, 'signed by my device', 'session');
    await acceptRequest(page, /0x/);
    await show(dora, 'from a script', 'api_key');
    await expect(page.locator('article[data-trust=verified]')).toHaveCount(1);
    await expectMark('API', /According to the server, .+ sent this\. No device signed it\./);
    await expect(page.getByText('API · No device signed this')).toBeVisible();
  });

  await test.step('a message of a newer version is marked, and one without a fallback is not shown', async () => {
    await show(dora, '', 'session', { kind: 'reaction', emoji: ['x'] });
    await show(dora, '', 'session', { kind: 'poll', fallback: 'Dora asks: “Lunch at noon?”' });
    const newer = page.getByRole('article').filter({ hasText: 'Dora asks: “Lunch at noon?”' });
    await expect(newer).toContainText('Update Waxwing to see this message.');
    await expect(page.getByRole('article')).toHaveCount(3);
  });

  await test.step('a bot speaks in its group', async () => {
    const group = await beginAs(dora, { name: 'Builds', unsignedBots: true });
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await page.getByRole('textbox', { name: 'Find a group' }).fill('Buil');
    await page.getByRole('button', { name: /Builds/ }).click();
    await page.getByRole('button', { name: 'Join group', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Builds' })).toBeVisible();
    await post(group, 'from a bot');
    await expectMark('BOT', /Posted with .+’s bot token\. No device signed it\./);
    await expect(page.getByText('BOT · No device signed this')).toBeVisible();
    await page
      .getByRole('navigation', { name: 'Chats' })
      .getByRole('option', { name: /Lunch at noon/ })
      .click();
  });

  await test.step('unsigned messages in the name of someone who signs are not shown', async () => {
    const eve = await newPerson(hostile.relay);
    await show(eve, 'never said', 'api_key');
    await show(dora, 'said after it', 'session');
    await expect(page.getByRole('article').getByText('said after it')).toBeVisible();
    await expect(page.getByText('never said')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /Message requests/ })).toHaveCount(0);
  });

  await test.step('other devices are reported, with the wallet’s certificate', async () => {
    await dora.publishDevices([dora.device, new TestDevice()]);
    dora.device.rotate();
    await hostile.relay.call('putSealKey', {
      token: dora.token,
      params: { deviceId: dora.device.id },
      body: { sealKey: dora.device.statement(dora.address, hostile.relay.now()) },
    });
    await send(page, 'a word for all your devices');
    const banner = page.getByRole('region', { name: 'Devices changed' });
    await expect(banner).toContainText(/’s devices changed on .+\./);
    await banner.getByRole('button', { name: 'Dismiss warning' }).click();
    await expect(banner).toBeHidden();
  });

  await test.step('unverifiable keys are reported, and nothing is sent', async () => {
    dora.device.rotate();
    await dora.publishSealKey();
    hostile.lie(({ path, status, body }) =>
      path.includes(`/keys/${dora.address}`) && status === 200
        ? { ...(body as object), deviceList: { ...list, sequence: 9 } }
        : undefined,
    );
    await send(page, 'a secret');
    await expect(page.getByText(/can’t confirm this person’s devices/).first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Can’t confirm devices' })).toContainText(
      'Until then, don’t send anything private.',
    );
  });
});
