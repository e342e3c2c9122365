/**
 * Pictures of people and groups: where they are shown, and choosing one's own, by mouse and by keys.
 */
import { picture } from '../../dev/server/made-files.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { faces } from './faces.ts';
import { writtenFiles } from './files.ts';
import { expect, test } from './support.ts';

const WIDE = { name: 'harbor.png', mimeType: 'image/png', buffer: picture(1200, 600, 7) };

test('a picture is chosen, moved and scaled by keys, saved and removed', async ({ page, openScene }) => {
  await openScene('one');
  await openSettings(page, 'Account');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const choose = page.waitForEvent('filechooser');
  await settings.getByRole('button', { name: 'Add picture' }).click();
  await (await choose).setFiles(WIDE);
  const dialog = page.getByRole('dialog', { name: 'Crop picture' });
  const frame = dialog.getByRole('application');
  await expect(frame).toHaveAttribute('data-crop', '1.00 0.00 0.00');
  await expectWhole(page);
  await frame.focus();
  await page.keyboard.press('ArrowRight');
  await expect(frame).toHaveAttribute('data-crop', '1.00 -0.05 0.00');
  // The picture covers the frame: at its whole height it does not move up.
  await page.keyboard.press('ArrowUp');
  await expect(frame).toHaveAttribute('data-crop', '1.00 -0.05 0.00');
  await page.keyboard.press('+');
  await page.keyboard.press('ArrowUp');
  await expect(frame).toHaveAttribute('data-crop', /^1\.10 -0\.0[56] 0\.05$/);
  const box = await frame.boundingBox();
  if (!box) throw new Error('the frame has no place');
  await page.mouse.move(box.x + 100, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 100 - box.width / 4, box.y + 100);
  await page.mouse.up();
  await expect(frame).toHaveAttribute('data-crop', /^1\.10 -0\.3[01] 0\.05$/);
  const written = writtenFiles(page);
  await dialog.getByRole('button', { name: 'Save picture' }).click();
  await expect(dialog).toHaveCount(0);
  const bytes = await written.read(0);
  expect(bytes.subarray(8, 12).toString()).toBe('WEBP');
  expect(bytes.length).toBeLessThan(256 * 1024);
  await expect(settings.locator(faces).first()).toBeVisible();
  await expect(settings.getByRole('button', { name: 'Change picture' })).toBeFocused();
  await settings.getByRole('button', { name: 'Remove picture' }).click();
  await expect(settings.locator(faces)).toHaveCount(0);
  await expect(settings.getByRole('button', { name: 'Add picture' })).toBeFocused();
});

test('owner and admins change the picture of a group in its details', async ({ page, openScene }) => {
  await openScene('faces', { open: '2' });
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeFocused();
  await page.keyboard.press('Control+.');
  const remove = page.getByRole('button', { name: 'Remove picture' });
  await remove.click();
  await expect(remove).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add picture' })).toBeVisible();
  await expectWhole(page);
});

test('a file other than a picture is refused below the field', async ({ page, openScene }) => {
  await openScene('one');
  await openSettings(page, 'Account');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const choose = page.waitForEvent('filechooser');
  await settings.getByRole('button', { name: 'Add picture' }).click();
  await (await choose).setFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('notes') });
  await expect(settings).toContainText('This file can’t be used as a picture.');
  await expect(page.getByRole('dialog', { name: 'Crop picture' })).toHaveCount(0);
});
