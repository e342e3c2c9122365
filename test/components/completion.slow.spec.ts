import { expectAccessible } from '../e2e/support/accessible.ts';
import { composer, emoji, marks, option, people, sent, type } from './completion.ts';
import { answerDelayed, delay, expect, test } from './support.ts';

test('a mention moves with the text before it, and ends when it is edited', async ({ page, openScene }) => {
  await openScene('actions');
  await type(page, '@be');
  await option(page, /Ben/).click();
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Home');
  await type(page, '@Ben Okafor, ');
  await expect(marks(page)).toHaveText('@Ben Okafor');
  await page.keyboard.press('Enter');
  const message = sent(page);
  await expect(message).toContainText('@Ben Okafor, @Ben Okafor');
  await expect(message.getByRole('button', { name: '@Ben Okafor' })).toHaveCount(1);

  await page.keyboard.press('ArrowUp');
  await expect(composer(page)).toHaveValue('@Ben Okafor, @Ben Okafor');
  await expect(marks(page)).toHaveText('@Ben Okafor');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await expect(marks(page)).toHaveCount(0);
  await type(page, 'r and @ann');
  await expect(option(page, /Ann/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(marks(page)).toHaveText('@Ann Archer');
  await page.keyboard.press('Enter');
  await expect(message.getByRole('button', { name: '@Ann Archer' })).toBeVisible();
  await expect(message.getByRole('button', { name: '@Ben Okafor' })).toHaveCount(0);
});

test('Enter sends if nothing is listed or after Escape', async ({ page, openScene }) => {
  await openScene('actions');
  await type(page, 'write to @zzz');
  await expect(people(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(sent(page)).toContainText('write to @zzz');
  await type(page, 'just @an');
  await expect(people(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(people(page)).toHaveCount(0);
  await type(page, 'n');
  await expect(composer(page)).toHaveValue('just @ann');
  await page.keyboard.press('Enter');
  await expect(sent(page)).toContainText('just @ann');
  // Another one is listed again.
  await type(page, '@an');
  await expect(people(page)).toBeVisible();
});

test('a draft keeps its mentions while another chat is open', async ({ page, openScene }) => {
  await openScene('actions');
  await type(page, '@be');
  await expect(option(page, /Ben/)).toBeVisible();
  await page.keyboard.press('Enter');
  await page
    .getByRole('navigation')
    .getByRole('option', { name: /^Everyone/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Everyone' })).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await page
    .getByRole('navigation')
    .getByRole('option', { name: /^Weekend hikers/ })
    .click();
  await expect(composer(page)).toHaveValue('@Ben Okafor ');
  await expect(marks(page)).toHaveText('@Ben Okafor');
});

test('an emoji is completed from two letters of its shortcode, and replaces a whole shortcode', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await type(page, ':t');
  await expect(emoji(page)).toHaveCount(0);
  await type(page, 'ada');
  await expect(emoji(page).getByRole('option')).toHaveText([/:tada:/]);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('🎉');
  await type(page, ' :smile:');
  await expect(composer(page)).toHaveValue('🎉 😄');
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(composer(page)).toHaveValue('🎉 :smile:');
  await composer(page).fill('');
  await type(page, 'at 10:30: see http://a:80: and `:smile:` or :nothing_so_called:');
  await expect(composer(page)).toHaveValue('at 10:30: see http://a:80: and `:smile:` or :nothing_so_called:');
  await expect(emoji(page)).toHaveCount(0);
});

test('the list is complete in the pseudo-locale from right to left', async ({ page, openScene }) => {
  await openScene('actions', { lang: 'en-XB' });
  const field = page.locator('form textarea');
  await expect(field).toBeFocused();
  await page.keyboard.type('@an');
  const list = page.getByRole('listbox').last();
  await expect(list.getByRole('option')).toHaveText([/Ann Archer/, /./]);
  await expectAccessible(page);
});

test('a late answer is ignored if the text has changed since', async ({ page, openScene }) => {
  await openScene('actions', { delay: 'conversations.mentionable' });
  await type(page, '@an');
  await page.keyboard.press('Enter');
  await expect(sent(page)).toContainText('@an');
  await answerDelayed(page);
  await expect(composer(page)).toHaveValue('');
  await expect(people(page)).toHaveCount(0);
  await type(page, '@');
  await expect(people(page).getByRole('option')).toHaveCount(5);
  await delay(page, 'conversations.mentionable');
  await type(page, 'be');
  await expect(people(page).getByRole('option')).toHaveText([/Ben/]);
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('@Ben Okafor ');
  await answerDelayed(page);
});

test('nothing is listed while an input method composes', async ({ page, openScene }) => {
  await openScene('actions');
  await type(page, '@');
  await expect(people(page)).toBeVisible();
  const input = await page.context().newCDPSession(page);
  await input.send('Input.imeSetComposition', { text: 'be', selectionStart: 2, selectionEnd: 2 });
  await expect(composer(page)).toHaveValue('@be');
  await expect(people(page)).toHaveCount(0);
  await input.send('Input.insertText', { text: 'be' });
  await expect(option(page, /Ben/)).toHaveAttribute('aria-selected', 'true');
});

test('Undo removes a mention, and Redo restores it', async ({ page, openScene }) => {
  await openScene('actions');
  await type(page, '@be');
  await expect(option(page, /Ben/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Tab');
  await expect(composer(page)).toHaveValue('@Ben Okafor ');
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(composer(page)).toHaveValue('@be');
  await expect(marks(page)).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+Shift+Z');
  await expect(marks(page)).toHaveText('@Ben Okafor');
});

test('eight of a thousand members are listed; a nickname finds its person and is not sent', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '6' });
  await type(page, '@mem');
  await expect(people(page).getByRole('option')).toHaveCount(8);
  await composer(page).fill('');
  await type(page, '@bo');
  await expect(option(page, /Boss/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('@Zoë Anders ');
  await composer(page).fill('');
  await type(page, '@zoe a');
  await expect(option(page, /Boss/)).toBeVisible();
});

test('the list fits into a short window, with the active entry visible', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 360, height: 300 });
  await openScene('actions', { open: '6' });
  await composer(page).focus();
  await type(page, '@mem');
  await expect(people(page).getByRole('option')).toHaveCount(8);
  const top = async () => (await people(page).boundingBox())?.y ?? -1;
  await expect.poll(top).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('ArrowUp');
  await expect(people(page).getByRole('option').last()).toBeInViewport({ ratio: 0.9 });
});
