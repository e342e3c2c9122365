import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

test('choosing a device list asks first, and Cancel chooses none', async ({ page, openScene }) => {
  await openScene('fork', { open: '1' });
  await page.getByRole('button', { name: 'Compare lists' }).click();
  const other = page.getByRole('region', { name: 'Device list: The other one' });
  await other.getByRole('button', { name: 'Use this list' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Choose only what Ann Archer told you.');
  await expectWhole(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(other).toBeVisible();
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
  // Nothing behind an open dialog has a role.
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
