/**
 * What Settings offer on one system and not on another.
 */
import type { Bridge } from '../../src/bridge/contract.ts';
import { expect, test } from './support.ts';

for (const [scene, limit] of [
  ['desktop', 'Newer macOS recorders still capture it.'],
  ['desktop-windows', 'Remote Desktop still shows it.'],
] as const) {
  test(`C14: in scene ${scene} a person keeps the window out of screenshots, and is told what that cannot do`, async ({
    page,
    openScene,
  }) => {
    await openScene(scene);
    await page.getByRole('button', { name: 'Settings' }).click();
    const choice = page.getByRole('switch', { name: 'Hide Waxwing from screenshots' });
    await expect(choice).not.toBeChecked();
    await expect(page.getByText(limit)).toBeVisible();
    await choice.press('Space');
    await expect(choice).toBeChecked();
    const kept = await page.evaluate(() =>
      (window as unknown as { waxwing: Bridge }).waxwing.calls['settings.get']({}),
    );
    expect(kept).toMatchObject({ ok: true, value: { contentProtection: true } });
  });
}
