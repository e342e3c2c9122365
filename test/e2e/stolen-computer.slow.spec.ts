import { App, OwnRelay } from './support/app.ts';
import { joinGroup, makeGroup } from './support/groups.ts';
import { linkComputer } from './support/linking.ts';
import { openSettings, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

test('after the removal of a stolen computer, its new admin and its messages are undone in one list', async ({
  browser,
}) => {
  test.slow();
  await using relay = new OwnRelay();
  const url = await relay.url();
  await using ann = await App.newcomer(browser, url, 'ann');
  await using ben = await App.newcomer(browser, url, 'ben');
  await using stolen = new App(await (await browser.newContext()).newPage(), url);

  await test.step('Ann makes a group, Ben joins it, and Ann links a second computer', async () => {
    await makeGroup(ann.page, 'Pond', 'duck');
    await joinGroup(ben.page, 'Pond', 'duck');
    await send(ben.page, 'Here I am');
    await stolen.start();
    await linkComputer(ann.page, stolen.page);
  });

  await test.step('the thief makes Ben an admin and writes to the group', async () => {
    const { page } = stolen;
    await page.getByRole('option', { name: /Pond/ }).click();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Options for @ben' }).click();
    await page.getByRole('menuitem', { name: 'Make admin' }).click();
    await expect(page.getByRole('region', { name: 'Details' })).toContainText('Admin');
    await send(page, 'Send the money here');
    await expect(ann.page.getByRole('article', { name: /Send the money here/ })).toBeVisible();
    await expect(ben.page.getByRole('article', { name: /Send the money here/ })).toBeVisible();
  });

  await test.step('Ann removes that computer, and undoes what it did', async () => {
    const settings = await openSettings(ann.page, 'Devices');
    const devices = settings.getByRole('list', { name: 'Your devices' });
    await devices.getByRole('button', { name: /^Remove/ }).click();
    await ann.page.getByRole('button', { name: 'Remove device' }).click();
    const list = settings.getByRole('region', { name: 'From a device you removed' });
    const item = (text: string) => list.getByRole('listitem').filter({ hasText: text });
    await item('an admin of Pond').getByRole('button', { name: /^Undo/ }).click();
    await expect(item('an admin of Pond')).toHaveCount(0);
    await item('1 message in Pond')
      .getByRole('button', { name: /^Delete for everyone/ })
      .click();
    await ann.page.getByRole('alertdialog').getByRole('button', { name: 'Delete for everyone' }).click();
    await expect(list).toHaveCount(0);
  });

  await test.step('Ben has neither the rights nor the message', async () => {
    await expect(ben.page.getByRole('article', { name: /Send the money here/ })).toHaveCount(0);
    await ben.page.getByRole('button', { name: 'Details' }).click();
    const details = ben.page.getByRole('region', { name: 'Details' });
    await expect(details).toContainText('Owner');
    await expect(details).not.toContainText('Admin');
  });
});
