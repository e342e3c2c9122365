/**
 * Windows about the origin of messages and the trust in people: complete and accessible.
 */
import type { Locator } from '@playwright/test';
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

/** Positions of the messages in the page, after layout: rows are measured and moved. */
async function standing(messages: Locator): Promise<string> {
  const places = () =>
    messages
      .getByRole('article')
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().y)).join());
  let before = '';
  await expect
    .poll(async () => {
      const now = await places();
      const isSame = now !== '' && now === before;
      before = now;
      return isSame;
    })
    .toBe(true);
  return before;
}

for (const [mark, sentence] of [
  ['API', /According to the server, .+ sent this\. No device signed it\./],
  ['BOT', /Posted with .+’s bot token\. No device signed it\./],
  ['Signed by a bot', /This bot has a key of its own\. .+ added it to this group\./],
] as const) {
  test(`clicking ${mark} beside a message explains it, also by keyboard`, async ({ page, openScene }) => {
    await openScene('states');
    const button = page.getByRole('button', { name: mark, exact: true }).first();
    // Only rows near the window are in the page.
    const messages = page.getByRole('region', { name: 'Messages' });
    await expect(messages).toBeVisible();
    await messages.hover();
    await standing(messages);
    while ((await button.count()) === 0) {
      const before = await standing(messages);
      await page.mouse.wheel(0, -300);
      await expect.poll(() => standing(messages)).not.toBe(before);
    }
    await standing(messages);
    await button.press('Enter');
    await expect(page.getByRole('dialog', { name: mark, exact: true })).toContainText(sentence);
    await expectWhole(page);
  });
}

test('bots of one group are distinguished by name, and none is shown as its owner', async ({
  page,
  openScene,
}) => {
  await openScene('states');
  const all = page.getByRole('article');
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toBeVisible();
  for (const [text, name, shown] of [
    ['By another bot.', /Weather \(bot\)/, 'Weather'],
    ['Signed by a bot.', /Builds \(bot\)/, 'Builds'],
    ['Posted by it again.', /Deploys \(bot\)/, 'Posted by it again.'],
    ['Posted by another token of that name.', /Deploys \(bot\)/, 'Deploys'],
    ['Posted by the token of a build.', /Deploys \(bot\)/, 'Deploys'],
    ['Posted with a bot token.', /Bot added by /, 'added by'],
  ] as const) {
    const post = all.filter({ hasText: text });
    await messages.hover();
    while ((await post.count()) === 0) {
      await page.mouse.wheel(0, -300);
      await standing(messages);
    }
    await expect(post).toHaveAccessibleName(name);
    await expect(post).toContainText(shown);
  }
});

test('the details of a contact explain why messages wait', async ({ page, openScene }) => {
  await openScene('fork', { open: '2' });
  await page.getByRole('button', { name: 'Details', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Details' }).getByRole('status')).toContainText(
    'current devices',
  );
  await expectWhole(page);
});

test('sending to a stopped group again asks first, and only if the person can decide', async ({
  page,
  openScene,
}) => {
  const banner = page.getByRole('region', { name: 'Nothing is sent to this group' });
  await openScene('group', { open: '2' });
  await expect(banner).toContainText('isn’t valid');
  await expect(banner.getByRole('button')).toHaveCount(0);

  await openScene('group', { open: '1' });
  await expect(banner).toContainText('Ask the other members first.');
  const goOn = banner.getByRole('button', { name: 'Go on anyway' });
  await goOn.click();
  const question = page.getByRole('alertdialog', { name: 'Send to Strange things again?' });
  await expect(question).toContainText('One of them may have been removed');
  await expectWhole(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(banner).toContainText('Ask the other members first.');
  await goOn.click();
  await question.getByRole('button', { name: 'Go on anyway' }).click();
  // Elements behind an open dialog have no role.
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('writing first explains that the other side sees a message request', async ({ page, openScene }) => {
  const note = page.getByText('@ann sees this as a message request.');
  await openScene('first-contact');
  await expect(note).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toHaveAccessibleDescription(
    '@ann sees this as a message request.',
  );
  await expectWhole(page);
  await openScene('one', { open: '1' });
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
  await expect(note).toHaveCount(0);
});
