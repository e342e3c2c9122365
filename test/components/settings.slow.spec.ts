/**
 * Steps from Settings: a new API key with its secret, a computer that is linked by its code.
 */
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import type { Bridge } from '../../src/bridge/contract.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('linking another computer shows the code, the waiting computer and the next steps', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await openSettings(page, 'Devices');
  await page.getByRole('button', { name: 'Link a computer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link a computer' });
  await dialog.getByLabel('Code on the new computer').fill('0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV');
  await expect(dialog).toContainText('Code complete');
  await expectWhole(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('That computer will read and write as you.');
  await expectWhole(page);
  await dialog.getByLabel('Your passphrase').fill(PASSPHRASE);
  await dialog.getByRole('button', { name: 'Link computer' }).click();
  await expect(dialog).toContainText('On the new computer, check that it asks to join');
  await expectWhole(page);
});

test('a proxy is saved, and an invalid address is refused', async ({ page, openScene }) => {
  await openScene('desktop');
  await openSettings(page, 'Server');
  const proxy = page.getByRole('group', { name: 'Proxy' });
  await expect(proxy.getByRole('radio', { name: 'Use system proxy' })).toBeChecked();
  const kept = () =>
    page.evaluate(() => (window as unknown as { waxwing: Bridge }).waxwing.calls['settings.get']({}));
  await proxy.getByText('No proxy').click();
  await expect.poll(kept).toMatchObject({ value: { proxy: { kind: 'none' } } });

  await proxy.getByText('This address').click();
  const address = page.getByRole('textbox', { name: 'Proxy address' });
  const save = page.getByRole('button', { name: 'Save proxy' });
  await expect(save).toBeDisabled();
  for (const wrong of ['socks5://proxy.example', 'ann:secret@proxy.example:8080']) {
    await address.fill(wrong);
    await save.click();
    await expect(page.getByText('without a name or password')).toBeVisible();
    expect(await kept()).toMatchObject({ value: { proxy: { kind: 'none' } } });
  }
  await expectWhole(page);
  await address.fill('proxy.example:8080');
  await save.click();
  await expect(address).toHaveValue('http://proxy.example:8080');
  const set = { kind: 'address', address: 'http://proxy.example:8080' };
  await expect.poll(kept).toMatchObject({ value: { proxy: set } });
  await expectWhole(page);
});

test('a linked computer asks for the recovery phrase before it unlocks API access', async ({
  page,
  openScene,
}) => {
  await openScene('linked');
  await openSettings(page, 'API Settings');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const lock = settings.getByRole('button', { name: 'Lock API access' });
  const unlock = settings.getByRole('button', { name: 'Unlock API access' });
  const phrase = settings.getByLabel('Recovery phrase or private key');
  for (const action of [lock, unlock]) {
    await action.click();
    await expect(phrase).toBeFocused();
    await expect(action).toBeDisabled();
    await settings.getByRole('button', { name: 'Cancel' }).click();
    await expect(action).toBeFocused();
    await action.click();
    await phrase.fill('abandon '.repeat(11).concat('about'));
    await expectWhole(page);
    await action.click();
    await expect(phrase).toHaveCount(0);
  }
  await expect(lock).toBeVisible();
});
