/**
 * Typing faster than answers arrive: Enter applies to the typed text, not to the shown results.
 */
import { echo, enterInPalette, palette } from './fast-typing.ts';
import { answerDelayed, delay, expect, test } from './support.ts';

test('Enter in the search field opens the first conversation as soon as the list is there', async ({
  page,
  openScene,
}) => {
  await openScene('one', { delay: 'conversations.list' });
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('ech');
  await page.keyboard.press('Enter');
  await answerDelayed(page);
  await expect(echo(page)).toBeVisible();
});

test('the command palette opens a person found a moment later', async ({ page, openScene }) => {
  await openScene('empty');
  await delay(page, 'people.search');
  await enterInPalette(page, 'echo');
  await expect(palette(page).getByText('No results. Try a handle or address.')).toHaveCount(0);
  await answerDelayed(page);
  await expect(echo(page)).toBeVisible();
});
