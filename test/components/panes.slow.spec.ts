/** The panes of the main window: the width of the list, and the panes for which there is room. */
import type { Bridge } from '../../src/bridge/contract.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { widthOf } from './panes.ts';
import { expect, test } from './support.ts';

test('arrow keys resize the list down to avatars only, and its width is saved', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openScene('many', { open: '1' });
  const list = page.getByRole('navigation', { name: 'Chats' });
  const splitter = page.getByRole('separator', { name: 'Width of the chat list' });
  const width = () => widthOf(list).then(Math.round);
  const kept = () =>
    page.evaluate(() => (window as unknown as { waxwing: Bridge }).waxwing.calls['settings.get']({}));
  await expect.poll(width).toBe(319);
  await splitter.press('ArrowRight');
  await expect(splitter).toHaveAttribute('aria-valuenow', '336');
  await expect.poll(kept).toMatchObject({ value: { listWidth: 336 } });
  await splitter.press('End');
  await splitter.press('ArrowRight');
  await expect.poll(width).toBe(419);
  for (let step = 0; step < 11; step++) await splitter.press('ArrowLeft');
  await expect(splitter).toHaveAttribute('aria-valuenow', '72');
  await expect.poll(width).toBe(71);
  await expect.poll(kept).toMatchObject({ value: { listWidth: 72 } });
  await expectWhole(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const row = list.getByRole('option', { name: /Ben Okafor.*120 unread/ });
  await row.click();
  await expect(page.locator('main section header h2')).toHaveText('Ben Okafor');
  await splitter.press('ArrowRight');
  await expect.poll(width).toBe(259);
});

for (const lang of [undefined, 'en-XB'] as const) {
  test(`the list follows the pointer${lang ? ', also from right to left' : ''}`, async ({
    page,
    openScene,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openScene('many', lang ? { lang } : {});
    const list = page.locator('main nav');
    const splitter = page.getByRole('separator');
    const drag = async (to: number) => {
      const { x, y, width } = (await splitter.boundingBox()) ?? { x: 0, y: 0, width: 0 };
      await page.mouse.move(x + width / 2, y + 300);
      await page.mouse.down();
      await page.mouse.move(lang ? 1440 - to : to, y + 300, { steps: 4 });
      await page.mouse.up();
    };
    for (const [to, shown] of [
      [380, 380],
      [900, 420],
      [150, 72],
      [300, 300],
    ] as const) {
      await drag(to);
      await expect(splitter).toHaveAttribute('aria-valuenow', String(shown));
      await expect.poll(() => widthOf(list).then(Math.round)).toBe(shown - 1);
    }
  });
}
