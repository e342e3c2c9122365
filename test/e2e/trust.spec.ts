/**
 * How a sender is known, as a person sees it, with a relay that lies where it can.
 */
import { expect, test } from '@playwright/test';
import { directBody, forge, targetOf } from '../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../support/hostile-relay/proxy.ts';
import { newPerson, type Person, TestDevice } from '../support/person.ts';
import { expectAccessible, expectWhole } from './support/accessible.ts';
import { App } from './support/app.ts';
import { firstRun, send } from './support/pages.ts';

test('verified, via API, via bot, other devices, not to be verified: each is shown for what it is', async ({
  browser,
}) => {
  await using hostile = await HostileRelay.start();
  await using ann = new App(await (await browser.newContext()).newPage(), hostile.url);
  const { page } = ann;
  await ann.start();
  await firstRun(page, 'ann');
  const dora = await newPerson(hostile.relay);
  const list = dora.nextList([dora.device], { unsigned: ['api', 'bots'] });
  const sealKeys = [dora.device.statement(dora.address, hostile.relay.now())];
  await hostile.relay.call('putDevices', { token: dora.token, body: { deviceList: list, sealKeys } });
  dora.list = list;
  const { body: found } = await hostile.relay.call('getHandle', {
    token: dora.token,
    params: { handle: 'ann' },
  });
  const target = await targetOf(hostile, dora.token, found.address);

  /** Shows Ann's device a message of somebody's: signed, or by a program. Her app asks as after a lost network. */
  const show = async (from: Person, text: string, via: 'session' | 'api_key' | 'group_token') => {
    const body = directBody(from.address, target.address, text);
    const signer = via === 'session' ? from.signer : null;
    const envelope = forge(from.address, target, { channel: 'direct', body }, signer, { via });
    hostile.invent(target.deviceId, envelope);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
  };

  await test.step('each message says how its sender is known', async () => {
    await show(dora, 'signed by my device', 'session');
    await page.getByRole('button', { name: /Requests/ }).click();
    await page.getByRole('button', { name: /0x/ }).click();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await show(dora, 'from a script', 'api_key');
    await show(dora, 'from a bot', 'group_token');
    const marks = [
      ['Verified sender', /Nobody else can have written this/],
      ['Sent via API, the relay vouches for the sender', /only the relay vouches for who wrote it/],
      ['Sent via bot, the relay vouches for the sender', /Posted by a bot/],
    ] as const;
    for (const [name, sentence] of marks) {
      const mark = page.getByRole('button', { name });
      await expect(mark).toHaveCount(1);
      await mark.click();
      await expect(page.getByRole('dialog', { name })).toContainText(sentence);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
    }
    await expect(page.getByText('via API – the relay vouches for the sender')).toBeVisible();
    await expect(page.getByText('via bot – the relay vouches for the sender')).toBeVisible();
    await expectWhole(page);
  });

  await test.step('what nobody signed, in the name of somebody who signs, is not there at all', async () => {
    const eve = await newPerson(hostile.relay);
    await show(eve, 'never said', 'api_key');
    await show(dora, 'said after it', 'session');
    await expect(page.getByRole('article').getByText('said after it')).toBeVisible();
    await expect(page.getByText('never said')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /Requests/ })).toHaveCount(0);
  });

  await test.step('other devices are told, and that the wallet certified them', async () => {
    await dora.publishDevices([dora.device, new TestDevice()]);
    dora.device.rotate();
    await hostile.relay.call('putSealKey', {
      token: dora.token,
      params: { deviceId: dora.device.id },
      body: { sealKey: dora.device.statement(dora.address, hostile.relay.now()) },
    });
    await send(page, 'a word for all your devices');
    const banner = page.getByRole('region', { name: 'Devices changed' });
    await expect(banner).toContainText('Their wallet certified the new ones');
    await expectWhole(page);
    await banner.getByRole('button', { name: 'OK, noted' }).click();
    await expect(banner).toBeHidden();
  });

  await test.step('keys that do not prove themselves are told, and nothing is sent', async () => {
    dora.device.rotate();
    await hostile.relay.call('putSealKey', {
      token: dora.token,
      params: { deviceId: dora.device.id },
      body: { sealKey: dora.device.statement(dora.address, hostile.relay.now()) },
    });
    hostile.lie(({ path, status, body }) =>
      path.includes(`/keys/${dora.address}`) && status === 200
        ? { ...(body as object), deviceList: list }
        : undefined,
    );
    await send(page, 'a secret');
    await expect(page.getByText(/it showed an older device list than before/).first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Cannot be verified' })).toContainText(
      'do not trust this relay',
    );
    await expectWhole(page);
  });
});
