import { expect, type Page, test } from '@playwright/test';
import { expectWhole, settled } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { firstRun, send } from './support/pages.ts';
import { PASSPHRASE } from './support/waxwing.ts';

async function newGroup(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

test('a conversation holds its shape: long names, code, other scripts, a window that grows', async ({
  browser,
}, info) => {
  await using relay = new OwnRelay();
  const context = await browser.newContext({ locale: 'en-US' });
  await using ann = new App(await context.newPage(), await relay.url());
  const { page } = ann;
  await ann.start();

  await test.step('capitals in a handle become small letters', async () => {
    await firstRun(page, 'Ann');
    await expect(page.getByText('@ann', { exact: true })).toBeVisible();
    await expect(page.getByText('to find people, groups and settings')).toBeVisible();
  });

  const name = 'W'.repeat(80);
  await test.step('a name without a space is broken, not cut off, and does not make the composer grow', async () => {
    await newGroup(page, name);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const shown = page.getByRole('region', { name: 'Chat', exact: true }).getByText(name).last();
      await expect.poll(async () => (await shown.boundingBox())?.x ?? 0).toBeGreaterThan(0);
      const box = await shown.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      const composer = await page.getByRole('textbox', { name: /^Message to/ }).boundingBox();
      expect(composer?.height).toBeLessThan(60);
    }
  });

  await test.step('code on lines of its own is a block; the time beside Hebrew reads as it is written', async () => {
    await send(page, 'See\n```ts\nlet a = 1;\n```\nthere');
    const code = page.getByRole('article').locator('code');
    await expect(code).toContainText('let a = 1;');
    expect(await code.evaluate((element) => getComputedStyle(element).display)).toBe('block');
    await send(page, 'שלום, מה שלומך?');
    const time = page.getByRole('article').filter({ hasText: 'שלום' }).locator('time bdi');
    expect(await time.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
    await expectWhole(page);
  });

  await test.step('a long message shows its beginning, and all of it when asked to; what is read stays in its place', async () => {
    const long = Array.from({ length: 120 }, (_, line) => `Sentence ${line + 1} of **many**.`).join('\n');
    await page.setViewportSize({ width: 1280, height: 800 });
    await send(page, long);
    const bubble = page.getByRole('article').last();
    const more = bubble.getByRole('button', { name: 'Show all' });
    await expect(more).toBeInViewport();
    await expect(bubble).toContainText('Sentence 40 of many.');
    await expect(bubble).not.toContainText('Sentence 42 of many.');
    await expectWhole(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await more.scrollIntoViewIfNeeded();
    await page.screenshot({ path: info.outputPath('beginning.png') });
    await more.focus();
    await settled(page);
    const topOf = () => bubble.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const before = await topOf();
    await page.keyboard.press('Enter');
    await expect(bubble).toContainText('Sentence 120 of many.');
    const less = bubble.getByRole('button', { name: 'Show less' });
    await expect(less).toBeFocused();
    await expect(less).toHaveAttribute('aria-expanded', 'true');
    await settled(page);
    expect(Math.abs((await topOf()) - before), 'what was read did not move').toBeLessThan(40);
    await page.screenshot({ path: info.outputPath('whole.png') });
    await page.keyboard.press('Enter');
    await expect(more).toBeFocused();
    await expect(more).toBeInViewport();
    await expect(bubble).not.toContainText('Sentence 42 of many.');
  });

  await test.step('the end stays in sight while the window grows and shrinks', async () => {
    for (let line = 1; line <= 20; line++) await send(page, `Line ${line} of many`);
    const last = page.getByRole('article').filter({ hasText: 'Line 20 of many' });
    for (const height of [700, 1000, 600, 900]) {
      await page.setViewportSize({ width: 1280, height });
      await expect(last).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('button', { name: /^Jump to latest/ })).toHaveCount(0);
    }
  });

  await test.step('what was typed a moment ago is there after locking, and after loading the page anew', async () => {
    const composer = page.getByRole('textbox', { name: /^Message to/ });
    await composer.fill('Written just before the lock');
    await page.keyboard.press('Control+l');
    await page.getByRole('textbox', { name: 'Passphrase' }).fill(PASSPHRASE);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: new RegExp(name) }).click();
    await expect(composer).toHaveValue('Written just before the lock');
    await composer.fill('Written just before the end');
    await page.reload();
    await page.getByRole('button', { name: new RegExp(name) }).click();
    await expect(composer).toHaveValue('Written just before the end');
    await composer.fill('');
  });

  await test.step('who has left is told so as themselves', async () => {
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Leave group' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click();
    await expect(page.getByText('You are no longer in the group')).toBeVisible();
  });
});
