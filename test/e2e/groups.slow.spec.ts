import { WAIT_LIMIT } from '../support/limits.ts';
import { waxwing } from '../support/waxwing-command.ts';
import { expectAccessible, expectWhole, settled } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { joinGroup } from './support/groups.ts';
import { linkComputer } from './support/linking.ts';
import { messageTexts, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

test('three people and a bot in one group: each message once, and each author identified', async ({
  browser,
}) => {
  test.slow();
  await using relay = new OwnRelay();
  const url = await relay.url();
  await using ann = await App.newcomer(browser, url, 'ann');
  await using ben = await App.newcomer(browser, url, 'ben');
  await using cat = await App.newcomer(browser, url, 'cat');
  const name = 'Bird watchers';

  await test.step('Ben searches for the group before it exists', async () => {
    await ben.page.getByRole('button', { name: 'Groups', exact: true }).click();
    await ben.page.getByRole('textbox', { name: 'Find a group' }).fill('Bird');
    await expect(ben.page.getByText('No groups with “Bird”')).toBeVisible();
    await ben.page.keyboard.press('Escape');
  });

  await test.step('Ann makes a group with a password', async () => {
    await ann.page.getByRole('button', { name: 'Groups', exact: true }).click();
    await ann.page.getByRole('button', { name: 'New group', exact: true }).click();
    await ann.page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await expect(ann.page.getByRole('radio', { name: 'Only invited people' })).toBeChecked();
    await ann.page.getByRole('radio', { name: 'Anyone with the password' }).check();
    await expect(ann.page.getByRole('button', { name: 'Create group' })).toBeDisabled();
    await ann.page.getByRole('textbox', { name: 'Password' }).fill('open sesame');
    await expectAccessible(ann.page);
    await ann.page.getByRole('button', { name: 'Create group' }).click();
    await expect(ann.page.getByRole('heading', { name })).toBeVisible();
  });

  await test.step('Ben gets an error for a wrong password, and joins with the right one; Cat joins', async () => {
    await joinGroup(ben.page, name, 'tea');
    await expect(ben.page.getByText('This isn’t the group’s password')).toBeVisible();
    await ben.page.getByRole('textbox', { name: 'Group password' }).fill('open sesame');
    // Guesses are slowed down, so a refused one is repeated. Each step has a limit: Ben may have joined meanwhile, and a press of
    // a button that has left the page waits without end.
    const join = ben.page.getByRole('button', { name: 'Join group', exact: true });
    const chat = ben.page.getByRole('heading', { name });
    await expect(async () => {
      if (await chat.isVisible()) return;
      await join.click({ timeout: 3_000 });
      await expect(chat).toBeVisible({ timeout: 3_000 });
    }).toPass({ timeout: WAIT_LIMIT });
  });

  await test.step('Ann invites Cat, who joins without the password', async () => {
    await ann.page.getByRole('button', { name: 'Details' }).click();
    await ann.page
      .getByRole('region', { name: 'Details' })
      .getByRole('button', { name: 'Add people' })
      .click();
    const dialog = ann.page.getByRole('dialog', { name: 'Add people' });
    await dialog.getByRole('textbox', { name: 'Name, handle or address' }).fill('ca');
    await dialog.getByRole('button', { name: /@cat/ }).click();
    await expectAccessible(ann.page);
    await dialog.getByRole('button', { name: 'Invite 1 person' }).click();
    await expect(dialog).toBeHidden();
    const invited = ann.page.getByRole('list', { name: 'Invited' });
    await expect(invited).toContainText('@cat');
    await expectAccessible(ann.page);

    await cat.page.getByRole('button', { name: /Message requests/ }).click();
    await cat.page.getByRole('option', { name: /@ann/ }).click();
    await expect(cat.page.getByText('Accept the message request to join.')).toBeVisible();
    await cat.page.getByRole('button', { name: 'Accept', exact: true }).click();
    await expectAccessible(cat.page);
    await cat.page.getByRole('button', { name: 'Join group' }).click();
    await expect(cat.page.getByRole('heading', { name })).toBeVisible();
    await expect(invited).toHaveCount(0);
    await ann.page.getByRole('button', { name: 'Close details' }).click();
  });

  await test.step('Ann sets the group’s description', async () => {
    await ann.page.getByRole('button', { name: 'Details' }).click();
    await ann.page.getByRole('button', { name: 'Edit group', exact: true }).click();
    await ann.page.getByRole('textbox', { name: 'Description' }).fill('Every Sunday at the pond');
    await expectAccessible(ann.page);
    await ann.page.getByRole('button', { name: 'Save changes', exact: true }).click();
    await expect(ann.page.getByText('Every Sunday at the pond')).toBeVisible();
    await expect(ann.page.getByRole('button', { name: 'Edit group', exact: true })).toBeFocused();
  });

  await test.step('Ann limits the group to invited people, and joining is no longer offered', async () => {
    const details = ann.page.getByRole('region', { name: 'Details' });
    const change = details.getByRole('button', { name: 'Change who can join', exact: true });
    const question = ann.page.getByRole('dialog', { name: 'Change who can join' });
    const save = question.getByRole('button', { name: 'Save changes' });
    await change.click();
    await expect(question.getByRole('radio', { name: 'Anyone with the password' })).toBeChecked();
    await expect(save).toBeDisabled();
    await question.getByRole('radio', { name: 'Only invited people' }).check();
    await expectAccessible(ann.page);
    // A click outside of the dialog changes nothing.
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(change).toBeFocused();
    await expect(details.getByText('Anyone with the password')).toBeVisible();
    await change.click();
    await question.getByRole('radio', { name: 'Only invited people' }).check();
    await save.click();
    await expect(question).toBeHidden();
    await expect(change).toBeFocused();
    await expect(details.getByText('Only invited people')).toBeVisible();
    await ann.page.getByRole('button', { name: 'Close details' }).click();

    await using dan = await App.newcomer(browser, url, 'dan');
    await dan.page.getByRole('button', { name: 'Groups', exact: true }).click();
    await dan.page.getByRole('button', { name: new RegExp(`${name}.*By invitation.*How to join`) }).click();
    const how = dan.page.getByRole('dialog', { name: 'By invitation only' });
    await expect(how).toContainText('or an admin to invite you');
    await expect(how.getByRole('button', { name: /Join/ })).toHaveCount(0);
    await expectAccessible(dan.page);
    await how.getByRole('button', { name: 'Message' }).click();
    await expect(dan.page.getByRole('textbox', { name: /^Message to @?ann/ })).toBeVisible();
  });

  await test.step('each message in the group is there once, with its verified author', async () => {
    await send(ben.page, 'A wren, by the pond!');
    await expect(ann.page.getByRole('article', { name: /Message from @?ben/ })).toBeVisible();
    const field = ann.page.getByRole('textbox', { name: /^Message to/ });
    await field.pressSequentially('Where exactly, @be');
    const offered = ann.page
      .getByRole('listbox', { name: 'People to mention' })
      .getByRole('option', { name: /@ben/ });
    await expect(offered).toHaveAttribute('aria-selected', 'true');
    await field.press('Enter');
    await expect(field).toHaveValue('Where exactly, @ben ');
    await field.press('Enter');
    await expect(ben.page.getByRole('article').locator('mark')).toHaveText('@ben');
    await expect(cat.page.getByRole('article').getByRole('button', { name: '@ben' })).toBeVisible();
    await send(cat.page, 'On the left bank.');
    for (const { page } of [ann, ben, cat]) {
      await expect(page.getByRole('article').locator('[data-words]')).toHaveCount(3);
      expect((await messageTexts(page)).toSorted()).toEqual([
        'A wren, by the pond!',
        'On the left bank.',
        'Where exactly, @ben',
      ]);
      await expect(page.locator('article[data-trust=verified]')).toHaveCount(2);
    }
    await expect(ann.page.getByText('joined the group')).toHaveCount(2);
    for (const { page } of [ann, ben, cat]) {
      await expect(page.getByRole('region', { name: 'Members differ' })).toHaveCount(0);
    }
  });

  await using second = new App(await (await browser.newContext()).newPage(), url);
  await test.step('Ben links another computer, which is also in the group', async () => {
    await second.start();
    await linkComputer(ben.page, second.page);
    await second.page.getByRole('option', { name: new RegExp(name) }).click();
    await expect(second.page.getByRole('heading', { name })).toBeVisible();
    await send(second.page, 'Written at the desk');
    for (const { page } of [ann, ben, cat, second]) {
      await expect(page.getByRole('article').getByText('Written at the desk')).toHaveCount(1);
    }
    // Includes the messages from before the link.
    await expect.poll(() => messageTexts(second.page)).toEqual(await messageTexts(ben.page));
  });

  let token = '';
  let key = '';
  await test.step('Ann makes a bot; its secrets are shown once and cannot be dismissed by accident', async () => {
    await ann.page.getByRole('button', { name: 'Details' }).click();
    await expect(ann.page.getByRole('listitem').filter({ hasText: 'Owner' })).toBeVisible();
    await ann.page.getByRole('textbox', { name: 'Bot name' }).fill('build bot');
    await ann.page.getByRole('button', { name: 'Create token' }).click();
    const dialog = ann.page.getByRole('alertdialog');
    await expect(dialog).toBeVisible();
    token = (await dialog.getByText(/^gtk_live_/).innerText()).trim();
    key = (await dialog.getByText(/^wxb_/).innerText()).trim();
    await ann.page.keyboard.press('Escape');
    await ann.page.mouse.click(5, 5);
    for (const keys of ['Control+.', 'Control+k']) await ann.page.keyboard.press(keys);
    await settled(ann.page);
    await expect(dialog).toBeVisible();
    await expectAccessible(ann.page);
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeDisabled();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
    await expect(ann.page.getByRole('textbox', { name: 'Bot name' })).toBeFocused();
    // A dialog is hidden a moment before it leaves the page.
    for (const secret of [token, key]) await expect.poll(() => ann.page.content()).not.toContain(secret);
    await expect(ann.page.getByRole('listitem').filter({ hasText: 'build bot' })).toContainText(
      token.slice(0, 12),
    );
  });

  const bot = { WAXWING_RELAY: url, WAXWING_GROUP_TOKEN: token, WAXWING_BOT_KEY: key };
  await test.step('the bot posts by the command line, and all members see it under its name', async () => {
    const { code, stderr } = await waxwing(['send', 'The nightly build is green.'], { env: bot });
    expect([code, stderr]).toEqual([0, '']);
    for (const { page } of [ann, ben, cat, second]) {
      await expect(page.getByRole('article').getByText('The nightly build is green.')).toHaveCount(1);
      const post = page.getByRole('article').filter({ hasText: 'The nightly build is green.' });
      await expect(post).toHaveAccessibleName(/^Message from build bot \(bot\)/);
      await expect(post).toContainText('added by');
      await expect(post.getByRole('button', { name: 'Signed by a bot' })).toBeVisible();
    }
  });

  await test.step('a revoked token is refused', async () => {
    const tokens = ann.page.getByRole('list', { name: 'Bot tokens' });
    const row = tokens.getByRole('listitem').filter({ hasText: 'build bot' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await ann.page.getByRole('button', { name: 'Revoke token' }).click();
    await expect(row).toContainText('Revoked');
    expect((await waxwing(['send', 'too late'], { env: bot })).code).toBe(3);
  });

  await test.step('Cat is removed, gets nothing new, and is informed', async () => {
    await ann.page.getByRole('button', { name: 'Options for @cat' }).click();
    await ann.page.getByRole('menuitem', { name: 'Remove member' }).click();
    await ann.page.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }).click();
    await expect(ann.page.getByRole('article', { name: 'You removed @cat' })).toBeVisible();
    await send(ann.page, 'Without Cat');
    for (const { page } of [ben, second]) {
      await expect(page.getByRole('article').getByText('Without Cat')).toHaveCount(1);
    }
    // Cat's app gets no notice. The open chat checks every 20 seconds.
    await expect(cat.page.getByText('You’re no longer in this group')).toBeVisible();
    await cat.page.getByRole('button', { name: 'Details' }).click();
    await expect(cat.page.getByText('Without Cat')).toHaveCount(0);
    const details = cat.page.getByRole('region', { name: 'Details' });
    await expect(details.getByRole('button', { name: 'Delete chat' })).toBeVisible();
  });

  await test.step('nothing is cut off or unreadable, narrow and wide, light and dark', async () => {
    await expectWhole(ann.page);
  });
});
