/** Settings › Storage: the space of messages and files, by chat, and the removal of files. */
import { expectWhole } from '../e2e/support/accessible.ts';
import { chats, openStorage, settings } from './storage.ts';
import { expect, test } from './support.ts';

test('shows the space of messages and files, the largest chat first', async ({ page, openScene }) => {
  await openScene('files');
  await openStorage(page);
  await expect(settings(page)).toContainText('Messages1.4 MB');
  await expect(settings(page)).toContainText('Files7.74 MB');
  const rows = chats(page).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('Ann Archer');
  await expect(rows.first()).toContainText(
    /16 photos, [\d.]+ MB · 3 sounds, 750 kB · 2 other files, 1\.24 MB/,
  );
  await expectWhole(page);
});
