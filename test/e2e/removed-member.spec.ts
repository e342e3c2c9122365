/**
 * A member is removed, and the relay shows them as a member again: what the user sees, and what they can do.
 */
import { expect, test } from '@playwright/test';
import { membersHash } from '../../src/protocol/members-hash.ts';
import type { GroupView } from '../../src/protocol/schemas/groups.ts';
import { forge, groupBody, targetOf } from '../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../support/hostile-relay/proxy.ts';
import { newPerson } from '../support/person.ts';
import { expectAccessible } from './support/accessible.ts';
import { App } from './support/app.ts';
import { firstRun, send } from './support/pages.ts';

test('a removed member whom the relay shows again reads nothing until the user has confirmed it', async ({
  browser,
}) => {
  test.slow();
  await using hostile = await HostileRelay.start();
  await using ben = new App(await (await browser.newContext()).newPage(), hostile.url);
  const { page } = ben;
  await ben.start();
  await firstRun(page, 'ben');
  const [ann, cat] = [await newPerson(hostile.relay), await newPerson(hostile.relay)];
  for (const [{ token }, handle] of [
    [ann, 'ann'],
    [cat, 'cat'],
  ] as const) {
    await hostile.relay.call('putHandle', { token, body: { handle } });
  }
  const { body: made } = await hostile.relay.call('createGroup', {
    token: ann.token,
    body: { name: 'Bird watchers' },
  });
  await hostile.relay.call('joinGroup', { token: cat.token, params: { id: made.id }, body: {} });
  const { body: found } = await hostile.relay.call('getHandle', {
    token: ann.token,
    params: { handle: 'ben' },
  });
  const target = await targetOf(hostile, ann.token, found.address);
  const banner = page.getByRole('region', { name: 'Back in the group' });
  const members = page.getByRole('list').filter({ hasText: 'You' });

  await test.step('Ben joins, and Cat is removed', async () => {
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await page.getByRole('textbox', { name: 'Find a group' }).fill('Bird');
    await page.getByRole('button', { name: /Bird watchers/ }).click();
    await page.getByRole('button', { name: 'Join group', exact: true }).click();
    await page.getByRole('button', { name: 'Details' }).click();
    await expect(members.getByText('@cat', { exact: true })).toBeVisible();
    hostile.lie(({ method, path, status, body }) => {
      if (method !== 'GET' || !path.endsWith(`/groups/${made.id}`) || status !== 200) return;
      const view = body as GroupView;
      const others = view.members.filter((address) => address !== cat.address);
      return {
        ...view,
        members: others,
        memberCount: others.length,
        membersHash: membersHash(others),
      };
    });
    await expect(page.getByText('is no longer in the group')).toBeVisible();
    await expect(banner).toHaveCount(0);
  });

  await test.step('the relay shows the old roster again: Ben is told, and Cat gets nothing', async () => {
    hostile.tellTruth();
    await expect(banner).toContainText('The server says @cat is back. Ask the owner.', { timeout: 20_000 });
    await expect(members).toContainText('can’t read what you write until you confirm it');
    const before = hostile.sent.length;
    await send(page, 'not for Cat');
    await expect(page.getByRole('article', { name: /Your message, .*, sent$/ })).toHaveCount(1);
    expect(hostile.sent.slice(before).join()).not.toContain(cat.device.sealKeyText);
  });

  await test.step('what Cat writes does not look like a member’s', async () => {
    const everybody = membersHash([ann.address, cat.address, found.address]);
    const body = groupBody(cat.address, made.id, everybody, 'I never left');
    hostile.invent(target.deviceId, forge(cat.address, target, { channel: 'group', body }, cat.signer));
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(
      page.getByRole('article', { name: 'Message from @cat, who left or was removed' }),
    ).toBeVisible();
    await expect(page.getByText(/not confirmed by you/)).toBeVisible();
  });

  await test.step('Ben asks the owner and confirms: Cat reads again', async () => {
    await banner.getByRole('button', { name: 'Send to @cat again' }).click();
    const question = page.getByRole('alertdialog', { name: 'Is @cat a member again?' });
    await question.getByRole('button', { name: 'Send again' }).click();
    await expect(banner).toHaveCount(0);
    await expect(page.getByText(/not confirmed by you/)).toHaveCount(0);
    const before = hostile.sent.length;
    await send(page, 'welcome back');
    await expect(page.getByRole('article', { name: /Your message, .*, sent$/ })).toHaveCount(2);
    expect(hostile.sent.slice(before).join()).toContain(cat.device.sealKeyText);
  });

  await test.step('Ben leaves, the relay still shows him: he comes back by his own choice alone', async () => {
    hostile.babble(
      (path) => path.includes(`/groups/${made.id}/members/`),
      (_, response) => response.writeHead(204).end(),
    );
    await page.getByRole('button', { name: 'Leave group' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click();
    await expect(page.getByText('You’re no longer a member').first()).toBeVisible();
    hostile.tellTruth();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    const place = page.getByRole('region', { name: 'Back in the group' });
    await expect(place).toContainText('The server says you’re in this group again');
    await expect(page.getByRole('textbox', { name: /Message/ })).toHaveCount(0);
    await expectAccessible(page);
    await place.getByRole('button', { name: 'Return to group' }).click();
    await send(page, 'by my own choice');
  });
});
