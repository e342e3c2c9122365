/** The measurement of frames in benchmarks of the app (bench/support/app/meter.ts). */
import { addMeter } from '../../bench/support/app/meter.ts';
import { expect, test } from './support.ts';

test('a measurement of frames that follows another at once counts each frame once', async ({ page }) => {
  await page.addInitScript(addMeter, []);
  await page.goto('about:blank');
  const frames = await page.evaluate(async () => {
    const pass = async (count: number) => {
      for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
    };
    window.meter.beginFrames();
    await pass(3);
    window.meter.endFrames();
    window.meter.beginFrames();
    await pass(5);
    return window.meter.endFrames();
  });
  expect(frames.length).toBeGreaterThan(2);
  expect(frames.filter((time) => time === 0)).toEqual([]);
});
