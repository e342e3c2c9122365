/** Backup, restore and export in the real Electron: the dialogs of the system, and files on its disk. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { firstRun, greetEcho } from '../e2e/support/pages.ts';
import { expect, test } from '../e2e/support/watched.ts';
import { temporaryFolder } from '../support/engine.ts';
import { answerOpening, answerSaving, proposedPaths, saveDownloads } from './main-process.ts';
import { binary, isPackaged, NO_INSPECTOR, startApp } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');
test.skip(isPackaged, NO_INSPECTOR);

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

async function openStorage(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+,');
  await settings(page).getByRole('button', { name: 'Storage' }).click();
}

test('a chat is backed up, exported and restored by the dialogs of the system', async () => {
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  const { page, main } = app;
  await firstRun(page, 'desktop');
  await greetEcho(page, 'Kept for later');
  await expect(page.getByRole('article', { name: /^Your message/ })).toHaveAttribute('data-state', 'sent');
  const backup = join(folder.path, 'chosen.waxwing-backup');

  await test.step('a canceled dialog makes no backup', async () => {
    await openStorage(page);
    await settings(page).getByRole('button', { name: 'Back up now…' }).click();
    await answerSaving(main, null);
    await settings(page).getByRole('button', { name: 'Back up', exact: true }).click();
    await expect
      .poll(() => proposedPaths(main))
      .toEqual([expect.stringMatching(/Waxwing \d{4}-\d\d-\d\d\.waxwing-backup$/)]);
    await expect(settings(page)).toContainText('Last backupNone from this computer yet');
  });

  await test.step('a backup is written to the chosen place, sealed', async () => {
    await answerSaving(main, backup);
    await settings(page).getByRole('button', { name: 'Back up', exact: true }).click();
    await expect(settings(page)).not.toContainText('None from this computer yet');
    expect(statSync(backup).size).toBeGreaterThan(0);
    expect(readFileSync(backup).includes('Kept for later')).toBe(false);
    await page.keyboard.press('Escape');
  });

  await test.step('the chat is exported as one ZIP file', async () => {
    const path = join(folder.path, 'chat.zip');
    await saveDownloads(main, path);
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Export chat…' }).click();
    const question = page.getByRole('dialog', { name: 'Export chat' });
    await question.getByRole('button', { name: 'Export', exact: true }).click();
    await expect.poll(() => statSync(path, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(0);
    expect(readFileSync(path).subarray(0, 2).toString()).toBe('PK');
    await expect(question).toHaveCount(0);
  });

  await test.step('a restore of the chosen backup keeps the chat as it is', async () => {
    const messages = await page.getByRole('article').count();
    await openStorage(page);
    await answerOpening(main, backup);
    await settings(page).getByRole('button', { name: 'Restore a backup…' }).click();
    await expect(settings(page).getByText(/^Your backup of .* is restored\.$/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('article')).toHaveCount(messages);
    await expect(page.getByRole('article', { name: /^Your message/ })).toContainText('Kept for later');
  });
});
