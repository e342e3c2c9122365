/**
 * A member is removed, and the relay shows the earlier state: the user's view, and the chain as the authority.
 */
import type { Page } from '@playwright/test';
import type { GroupView } from '../../src/protocol/schemas/groups.ts';
import { directBody, forge, groupBody, targetOf } from '../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../support/person.ts';
import { placeAt, TestRoster } from '../support/relay-rosters.ts';
import { expectAccessible } from './support/accessible.ts';
import { App } from './support/app.ts';
import { firstRun, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

async function join(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('textbox', { name: 'Find a group' }).fill('Bird');
  await page.getByRole('button', { name: /Bird watchers/ }).click();
  await page.getByRole('button', { name: 'Join group', exact: true }).click();
}

test('a removed member shown again by the relay reads nothing, and returns only by invitation', async ({
  browser,
}) => {
  test.slow();
  await using hostile = await HostileRelay.start();
  await using ben = new App(await (await browser.newContext()).newPage(), hostile.url);
  const { page } = ben;
  await ben.start();
  await firstRun(page, 'ben');
  const [ann, cat, dora] = [
    await newPerson(hostile.relay),
    await newPerson(hostile.relay),
    await newPerson(hostile.relay),
  ];
  for (const [{ token }, handle] of [
    [ann, 'ann'],
    [cat, 'cat'],
    [dora, 'dora'],
  ] as const) {
    await hostile.relay.call('putHandle', { token, body: { handle } });
  }
  const roster = await TestRoster.begin(ann, { name: 'Bird watchers' }, [cat]);
  const { body: found } = await hostile.relay.call('getHandle', {
    token: ann.token,
    params: { handle: 'ben' },
  });
  const target = await targetOf(hostile, ann.token, found.address);
  const banner = page.getByRole('region', { name: 'Nothing is sent to this group' });
  const members = page.getByRole('list').filter({ hasText: 'You' });
  const own = (state: string) =>
    page.getByRole('article', { name: new RegExp(`^Your message, .*, ${state}$`) });
  const goOnline = () => page.evaluate(() => window.dispatchEvent(new Event('online')));
  /** From now on the relay repeats its current view of the group, but not of its chain. */
  const freeze = async ({ token }: Person) => {
    const { body: view } = await hostile.relay.call('getGroup', { token, params: roster.params });
    return () =>
      hostile.lie(({ method, path, status }): GroupView | undefined =>
        method === 'GET' && path.endsWith(`/groups/${roster.id}`) && status === 200 ? view : undefined,
      );
  };
  const sendText = async (from: Person, text: string) => {
    const body = groupBody(from.address, roster.id, await placeAt(ann, roster.id), text);
    hostile.invent(target.deviceId, forge(from.address, target, { channel: 'group', body }, from.signer));
    await goOnline();
  };
  const posts = () =>
    hostile.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith(`/groups/${roster.id}/envelopes`),
    );

  await test.step('Ben joins, and Cat is removed', async () => {
    await join(page);
    await page.getByRole('button', { name: 'Details' }).click();
    await expect(members.getByText('@cat', { exact: true })).toBeVisible();
    await roster.follow(ann);
  });

  const showBefore = await freeze(cat);
  await test.step('Cat is removed, and Ben is informed', async () => {
    await roster.remove(ann, cat);
    await expect(page.getByRole('article', { name: /removed @cat/ })).toBeVisible();
    await expect(members.getByText('@cat', { exact: true })).toHaveCount(0);
    await expect(banner).toHaveCount(0);
  });

  await test.step('the relay shows Cat as a member again; Ben is warned, and nothing is sent', async () => {
    showBefore();
    await expect(banner).toContainText('doesn’t match its signed changes');
    await expect(members.getByText('@cat', { exact: true })).toHaveCount(0);
    await expect(banner.getByRole('button')).toHaveCount(0);
    await send(page, 'not for Cat');
    await expect(own('not sent')).toContainText('Nothing is sent to the group until it does.');
    expect(posts()).toEqual([]);
    await expectAccessible(page);
  });

  await test.step('messages of Cat are not shown', async () => {
    await sendText(cat, 'I never left');
    await sendText(ann, 'said after it');
    await expect(page.getByRole('article').getByText('said after it')).toBeVisible();
    await expect(page.getByText('I never left')).toHaveCount(0);
  });

  await test.step('the relay shows the true chain; waiting messages are sent, but not to Cat', async () => {
    hostile.answerTruthfully();
    await expect(banner).toHaveCount(0);
    await own('not sent').getByRole('button', { name: 'Retry' }).click();
    await expect(own('sent')).toHaveCount(1);
    const posted = posts()
      .map(({ body }) => body)
      .join();
    expect(posted).toContain(ann.device.sealKeyText);
    expect(posted).not.toContain(cat.device.sealKeyText);
  });

  await test.step('Ann invites Cat again; Cat reads again, and Ben confirms nothing', async () => {
    await expect(roster.join(cat)).rejects.toThrow();
    await roster.join(cat, roster.ticket(ann, cat));
    await expect(members.getByText('@cat', { exact: true })).toBeVisible();
    const before = posts().length;
    await send(page, 'welcome back');
    await expect(own('sent')).toHaveCount(2);
    expect(
      posts()
        .slice(before)
        .map(({ body }) => body)
        .join(),
    ).toContain(cat.device.sealKeyText);
  });

  await test.step('Ann proves that the relay hides a removal; nothing is sent until Ben continues', async () => {
    const hidden = roster.make(ann, { kind: 'change', remove: [cat.address] });
    await roster.join(dora);
    const proof = {
      ...directBody(ann.address, target.address, ''),
      kind: 'hello',
      group: roster.id,
      entries: [hidden],
    };
    const message = { channel: 'direct' as const, body: proof };
    hostile.invent(target.deviceId, forge(ann.address, target, message, ann.signer));
    await goOnline();
    await expect(banner).toContainText('Ask the other members first.');
    await expectAccessible(page);
    await send(page, 'for whom?');
    await expect(own('not sent')).toContainText('Nothing is sent to the group until that’s settled.');
    await banner.getByRole('button', { name: 'Go on anyway' }).click();
    const question = page.getByRole('alertdialog', { name: 'Send to Bird watchers again?' });
    await question.getByRole('button', { name: 'Go on anyway' }).click();
    // Elements behind an open dialog have no role.
    await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
    await expect(banner).toHaveCount(0);
    await own('not sent').getByRole('button', { name: 'Retry' }).click();
    await expect(own('sent')).toHaveCount(3);
  });

  await test.step('Ben leaves, and the relay still shows him; he returns only by his own choice', async () => {
    const { body: view } = await hostile.relay.call('getGroup', { token: ann.token, params: roster.params });
    const { body: mine } = await hostile.relay.call('searchGroups', {
      token: ann.token,
      query: { mine: true },
    });
    await page.getByRole('button', { name: 'Leave group' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click();
    const place = page.getByRole('region', { name: 'Left' });
    await expect(place).toContainText('You’re no longer in this group');
    hostile.lie(({ path }) => (path.includes('mine=1') ? mine : undefined));
    const looked = () => hostile.requests.filter(({ path }) => path.endsWith(`/groups/${roster.id}`)).length;
    const before = looked();
    hostile.babble(
      (path) => path.endsWith(`/groups/${roster.id}`),
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(view));
      },
    );
    // The app looks for groups that were joined on another device.
    await goOnline();
    await expect.poll(looked).toBeGreaterThan(before);
    await sendText(ann, 'to all but Ben');
    await expect.poll(() => hostile.unacknowledged(target.deviceId)).toBe(0);
    await expect(place).toBeVisible();
    await expect(page.getByText('to all but Ben')).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: /^Message to/ })).toHaveCount(0);
    await expectAccessible(page);
    hostile.answerTruthfully();
    await join(page);
    await send(page, 'by my own choice');
    await expect(own('sent')).toHaveCount(4);
  });
});
