/** The history of a linked computer: on the one that receives it, and on the one that sends it. */
import type { Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });
const strip = (page: Page) => page.getByRole('complementary', { name: 'Messages from your other computer' });

async function openDevices(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await settings(page).getByRole('button', { name: 'Devices' }).click();
}

test('a strip over the chats shows the progress, and asks before it is canceled', async ({
  page,
  openScene,
}) => {
  await openScene('receiving-history');
  await expect(strip(page).getByRole('status')).toHaveText(
    'Receiving messages from your other computer… 40%',
  );
  await expect(strip(page).getByRole('progressbar')).toHaveAttribute('value', '40');
  await expectWhole(page);
  await strip(page).getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('alertdialog', { name: 'Stop receiving messages?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(strip(page)).toBeVisible();
  await strip(page).getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Stop receiving' }).click();
  await expect(strip(page)).toBeHidden();
});

test('the strip reports that the other computer is off', async ({ page, openScene }) => {
  await openScene('waiting-for-history');
  await expect(strip(page)).toContainText(
    'Waiting for messages from your other computer. Keep Waxwing open there.',
  );
  await expect(strip(page).getByRole('progressbar')).toBeHidden();
});

test('a full disk is reported as the reason', async ({ page, openScene }) => {
  await openScene('history-without-room');
  await expect(strip(page)).toContainText('There isn’t enough room on this computer.');
});

test('a complete history is hidden without a question', async ({ page, openScene }) => {
  await openScene('history-complete');
  await expect(strip(page)).toContainText('The messages of your other computer are here.');
  await strip(page).getByRole('button', { name: 'Hide' }).click();
  await expect(strip(page)).toBeHidden();
});

test('the devices show what is on its way to a linked computer, and stop it', async ({ page, openScene }) => {
  await openScene('sending-history');
  await openDevices(page);
  await expect(settings(page)).toContainText('Sending messages to this computer… 40%');
  await expectWhole(page);
  await settings(page).getByRole('button', { name: 'Stop sending' }).click();
  const question = page.getByRole('alertdialog', { name: 'Stop sending messages?' });
  await question.getByRole('button', { name: 'Stop sending' }).click();
  await expect(settings(page).getByText('Sending messages to this computer')).toBeHidden();
});

for (const isSent of [true, false])
  test(`a history that was not sent is ${isSent ? 'sent again' : 'left out'} by the choice of the person`, async ({
    page,
    openScene,
  }) => {
    await openScene('missed-history');
    await openDevices(page);
    const missed = settings(page).getByText('Messages were not sent: for 30 days');
    await expect(missed).toBeVisible();
    await expectWhole(page);
    await settings(page)
      .getByRole('button', { name: isSent ? 'Send again' : 'Don’t send' })
      .click();
    await expect(missed).toBeHidden();
    const waiting = settings(page).getByText('Messages are sent when Waxwing is open on that computer.');
    await expect(waiting).toHaveCount(isSent ? 1 : 0);
  });

for (const isOn of [true, false])
  test(`a linked computer gets the history ${isOn ? 'by default' : 'unless it is turned off'}`, async ({
    page,
    openScene,
  }) => {
    await openScene('one');
    await openDevices(page);
    await settings(page).getByRole('button', { name: 'Link a computer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link a computer' });
    await dialog.getByLabel('Code on the new computer').fill('0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const choice = dialog.getByRole('switch', { name: 'Send messages and files to it' });
    await expect(choice).toBeChecked();
    if (!isOn) await choice.click();
    await expectWhole(page);
    await dialog.getByLabel('Your passphrase').fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Link computer' }).click();
    await expect(dialog).toContainText('On the new computer, check that it asks to join');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    const waiting = settings(page).getByText('Messages are sent when Waxwing is open on that computer.');
    await expect(waiting).toHaveCount(isOn ? 1 : 0);
  });
