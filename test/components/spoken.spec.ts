/** Names, states and announcements as Orca with Chromium speaks them. */
import { announcements } from './announcer.ts';
import { choose, picture, tray } from './files.ts';
import { article, composer, LAST } from './message-actions.ts';
import { expect, test } from './support.ts';

test('the open chat is current in the list and not selected, so the focus in the composer is followed', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  const row = page.getByRole('option').first();
  await expect(row).toHaveAttribute('aria-current', 'true');
  await expect(row).not.toHaveAttribute('aria-selected');
});

test('a new text under a focused field is announced once, and is its description when the person returns', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'New chat' }).click();
  const dialog = page.getByRole('dialog', { name: 'New chat' });
  const field = dialog.getByRole('textbox', { name: 'To' });
  await expect(field).toHaveAccessibleDescription(/^For example/);
  const announced = dialog.locator('[aria-live]').first();
  await expect(announced).toHaveText('');
  await field.fill('no/handle');
  await field.press('Enter');
  await expect(announced).toHaveText(/^No one on this server/);
  // A new description of the focused field is spoken, too.
  await expect(field).toHaveAccessibleDescription('');
  await field.press('Tab');
  await expect(field).toHaveAccessibleDescription(/^No one on this server/);
});

test('a dialog has no landmark of the page in it', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'New chat' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
});

test('the words of the recovery phrase are read with their numbers', async ({ page, openScene }) => {
  await openScene('first-run');
  for (const heading of ['Your account', 'Your recovery phrase']) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
  const words = page.getByRole('list', { name: 'Recovery phrase' });
  await expect(words).toMatchAriaSnapshot(`
    - list:
      - listitem: /^1 \\w+$/
      - listitem: /^2 \\w+$/
      - listitem: /^3 \\w+$/
  `);
});

test('a reply, an edit and a deletion are announced', async ({ page, openScene }) => {
  await openScene('actions');
  await expect(article(page, LAST)).toBeInViewport();
  await article(page, LAST).focus();
  await page.keyboard.press('r');
  await expect(composer(page)).toBeFocused();
  await expect(announcements(page)).toHaveText(/^Replying to .+: I looked it up/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowUp');
  await expect(announcements(page)).toContainText('Edit message');
  await page.keyboard.press('Escape');
  await article(page, LAST).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Delete for me' }).click();
  await expect(announcements(page)).toContainText('Message deleted');
});

test('an added file is announced, and the button for its description stays while the field has the focus', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  await choose(page, await picture(page, 'photo.jpg', 'image/jpeg', [120, 80]));
  await expect(announcements(page)).toHaveText('photo.jpg added');
  const button = tray(page).getByRole('button', { name: 'Add description: photo.jpg' });
  await button.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Description of photo.jpg' })).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
});
