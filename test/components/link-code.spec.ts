/** The code of a new computer in first run. */
import { NOW } from '../../dev/fake/people.ts';
import { showLinkStep } from '../e2e/support/linking.ts';
import { delay, expect, test, untilDelayed } from './support.ts';

test('the countdown of a link code begins with its whole lifetime', async ({ page, openScene }) => {
  await openScene('first-run');
  await page.getByRole('radio', { name: /Server address/ }).check();
  await page.getByRole('textbox', { name: 'Server address' }).fill('https://relay.example');
  await showLinkStep(page);
  await delay(page, 'setup.startLink');
  await page.getByRole('button', { name: 'Show code' }).click();
  await untilDelayed(page);
  // The last update of the countdown's time is 900 ms ago when the code is made.
  await page.clock.setFixedTime(NOW + 900);
  await page.evaluate(() => {
    window.delayed.answer();
    // No other computer answers.
    window.delayed.delay('setup.findOffer');
  });
  // The first text: a later update corrects it.
  expect(await page.getByRole('timer').innerText()).toBe('The code expires in 10:00.');
});
