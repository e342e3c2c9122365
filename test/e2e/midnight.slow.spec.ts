import { App, OwnRelay } from './support/app.ts';
import { send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

const HOUR = 3_600_000;

/** The time zone this number of hours east of Greenwich. Names of the form `Etc/GMT±n` have the opposite sign. */
const zoneOf = (east: number) => (east > 0 ? `Etc/GMT-${east}` : `Etc/GMT+${-east}`);

test('at midnight Today becomes Yesterday, and another time zone changes times and days', async ({
  browser,
}) => {
  await using relay = new OwnRelay();
  await using ann = await App.newcomer(browser, await relay.url(), 'ann');
  const { page } = ann;
  await startChat(page, 'Note to self');
  await send(page, 'Buy milk');
  await expect(page.getByRole('article', { name: /Buy milk/ })).toBeVisible();

  const writtenAt = new Date(
    (await page.getByRole('article').getByRole('time').getAttribute('datetime')) ?? '',
  );
  // Zones that make it just after 13:00 and 11:00 when the message was written, at any time of the day.
  const offset = 13 - writtenAt.getUTCHours();
  const [home, west] = [zoneOf(offset), zoneOf(offset - 2)];
  const emulation = await page.context().newCDPSession(page);
  const moveTo = (timezoneId: string) => emulation.send('Emulation.setTimezoneOverride', { timezoneId });
  const shown = (timeZone: string) =>
    new RegExp(writtenAt.toLocaleTimeString('en-US', { timeZone, timeStyle: 'short' }).replace(/\s/, '\\s'));
  const day = page.getByRole('feed').getByRole('heading', { level: 3 });
  const clock = page.getByRole('article').getByRole('time');
  const row = page.getByRole('navigation', { name: 'Chats' }).getByRole('option').first();

  // The clock of the page is stopped some seconds before the midnight after the message.
  await page.clock.install();
  await moveTo(home);
  await page.reload();
  await expect(clock).toHaveText(shown(home));
  const midnight = Math.floor(writtenAt.getTime() / HOUR) * HOUR + 11 * HOUR;
  await page.clock.pauseAt(midnight - 20_000);
  await page.clock.runFor(10_000);
  await expect(day).toHaveText('Today');
  await page.clock.runFor(10_000);
  await expect(day).toHaveText('Yesterday');
  await expect(row).not.toContainText(shown(home));

  await moveTo(west);
  await page.clock.runFor('01:00');
  await expect(clock).toHaveText(shown(west));
  await expect(day).toHaveText('Today');
  await expect(row).toContainText(shown(west));
});
