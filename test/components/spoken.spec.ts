/** Names, states and announcements as Orca with Chromium speaks them. */
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
