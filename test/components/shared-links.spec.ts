/** Links in the details of a chat. */
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

const HREF = 'https://example.org/a/path?with=questions';

test('the details list the links of a chat, and a click asks before it is opened', async ({
  page,
  openScene,
}) => {
  await openScene('conversation', { open: '3' });
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  const rows = details.getByRole('list', { name: 'Links' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('Ann Archer · March 4, 2026');
  const link = rows.first().getByRole('link', { name: 'example.org/a/path?with=questions' });
  await link.click();
  const question = page.getByRole('alertdialog', { name: 'Open this site?' });
  await expect(question.getByRole('link')).toHaveAttribute('href', HREF);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(link).toBeFocused();
  await rows.first().getByRole('button', { name: 'Show example.org in chat' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'Look at https://example.org' })).toBeFocused();
  await expectWhole(page);
});
