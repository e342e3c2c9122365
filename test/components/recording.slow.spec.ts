/** Recording voice messages, with Chromium's fake microphone, which beeps. */
import type { Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { expectAccessible, expectWhole } from '../e2e/support/accessible.ts';
import { composer, dropOn, text, tray } from './files.ts';
import { button, openChat, record, states, strip, test } from './recording.ts';
import { answerDelayed, delay, expect, refuse, untilDelayed } from './support.ts';

test.beforeEach(openChat);

async function lockAndUnlock(page: Page, whenLocked?: () => Promise<void>): Promise<void> {
  await page.keyboard.press('Control+l');
  await expect(page.getByRole('heading', { name: 'Waxwing is locked' })).toBeVisible();
  await whenLocked?.();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.keyboard.press('Enter');
}

test('a paused recording is listened to, resumed and sent', async ({ page }) => {
  await record(page);
  await button(page, 'Listen to recording').click();
  await expect(page.getByText('Recording paused')).toBeAttached();
  const place = strip(page).getByRole('slider', { name: 'Place in the voice message' });
  await expect(place).toBeVisible();
  await expect(place).not.toHaveValue('0');
  await button(page, 'Resume recording').click();
  await expect(place).toBeHidden();
  await expect(page.getByText('Recording resumed')).toBeAttached();
  await expect(strip(page).getByRole('timer')).not.toHaveText('0:01');
  await button(page, 'Send voice message').click();
  const sent = page.locator('article').last();
  await expect(sent.getByRole('slider')).toHaveAttribute('aria-valuetext', /of 0:(?:0[2-9]|[1-5]\d)$/);
});

test('Escape asks before it discards, and the microphone is off afterwards', async ({ page }) => {
  await record(page);
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(button(page, 'Pause recording')).toBeFocused();
  expect(await states(page)).toEqual(['live']);
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(strip(page)).toBeHidden();
  await expect(composer(page)).toBeFocused();
  await expect(page.getByText('Recording discarded')).toBeAttached();
  await expect.poll(() => states(page)).toEqual(['ended']);
  await expect(page.locator('article')).toHaveCount(2);
});

test('leaving the chat turns the microphone off and keeps the recording there', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '2' });
  await expect(composer(page)).toHaveAccessibleName(/Ben/);
  await record(page);
  await page.getByText('Weekend hikers').first().click();
  // The notice disappears by itself.
  await expect(page.getByText('Your recording ended. It’s in the chat that you left')).toBeVisible();
  await expect(composer(page)).toHaveAccessibleName(/Weekend hikers/);
  await expect.poll(() => states(page)).toEqual(['ended']);
  await expect(button(page, 'Record voice message')).toBeVisible();
  await page.getByRole('option').filter({ hasText: 'Ben' }).click();
  await expect(tray(page).getByRole('listitem')).toContainText('Voice message');
  await button(page, 'Send').click();
  await expect(
    page.locator('article').last().getByRole('button', { name: 'Play voice message' }),
  ).toBeVisible();
});

test('C16: locking turns the microphone off, and the chat reports the discarded recording', async ({
  page,
}) => {
  await record(page);
  await lockAndUnlock(page, async () => {
    await expect(strip(page)).toBeHidden();
    await expect.poll(() => states(page)).toEqual(['ended']);
  });
  await expect(page.getByText('Your recording was discarded when Waxwing locked.')).toBeVisible();
  await expect(tray(page)).toBeHidden();
  await expect(button(page, 'Record voice message')).toBeVisible();
});

test('a lock after Send discards a recording that is still prepared, and the chat reports it', async ({
  page,
}) => {
  const sent = await page.locator('article').count();
  await record(page);
  await delay(page, 'files.begin');
  await button(page, 'Send voice message').click();
  await expect(page.getByRole('progressbar', { name: 'Preparing files' })).toBeVisible();
  await untilDelayed(page);
  await lockAndUnlock(page);
  await answerDelayed(page);
  await expect(page.getByText('Your recording was discarded when Waxwing locked.')).toBeVisible();
  await expect(tray(page)).toBeHidden();
  await expect(page.locator('article')).toHaveCount(sent);
  await record(page);
  await expect(page.getByText('Your recording was discarded when Waxwing locked.')).toBeHidden();
});

test('a lock discards a recording kept in the chat that was left, and the chat reports it', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '2' });
  await record(page);
  await page.getByText('Weekend hikers').first().click();
  await expect(page.getByText('Your recording ended. It’s in the chat that you left')).toBeVisible();
  const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  await dialog.dismiss();
  await lockAndUnlock(page);
  await page.getByRole('option').filter({ hasText: 'Ben' }).click();
  await expect(page.getByText('Your recording was discarded when Waxwing locked.')).toBeVisible();
  await expect(tray(page)).toBeHidden();
});

for (const isListened of [false, true]) {
  const kind = isListened ? 'a recording that was listened to' : 'a recording';
  test(`${kind} has its length in its file, and plays from a chosen place`, async ({ page }) => {
    await record(page);
    if (isListened) {
      // The beginning of the file is read before the length is known.
      await button(page, 'Listen to recording').click();
      await expect(strip(page).getByRole('slider')).toBeVisible();
    }
    await button(page, 'Send voice message').click();
    const sent = page.locator('article').last();
    const place = sent.getByRole('slider', { name: 'Place in the voice message' });
    const length = Number(await place.getAttribute('max'));
    expect(length).toBeGreaterThan(1);
    await place.fill('0.9');
    const started = await page.evaluateHandle(() => {
      const seen: { from: number; duration: number }[] = [];
      const { play } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.play = function () {
        const note = () => seen.push({ from: this.currentTime, duration: this.duration });
        this.addEventListener('playing', note, { once: true });
        return play.call(this);
      };
      return seen;
    });
    await sent.getByRole('button', { name: 'Play voice message' }).click();
    await expect.poll(() => started.jsonValue()).toHaveLength(1);
    const [first] = await started.jsonValue();
    expect(first?.from).toBeGreaterThanOrEqual(0.9);
    expect(first?.duration).toBeCloseTo(length, 0);
    // At its end the player returns to the start.
    await expect(place).toHaveValue('0');
  });
}

test('a recording ends at 30 minutes, and waits to be sent', async ({ page }) => {
  await record(page);
  await page.clock.fastForward('30:00');
  await expect(page.getByText('A voice message can be up to 30 minutes long.')).toBeVisible();
  await expect(strip(page).getByRole('timer')).toHaveText(/^30:0/);
  await expect(button(page, 'Send voice message')).toBeFocused();
  await expect(button(page, 'Pause recording')).toBeHidden();
  expect(await states(page)).toEqual(['ended']);
  await page.keyboard.press('Enter');
  await expect(
    page.locator('article').last().getByRole('button', { name: 'Play voice message' }),
  ).toBeVisible();
});

test('closing the page asks first', async ({ page }) => {
  await record(page);
  const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  expect(await states(page)).toEqual(['live']);
  await button(page, 'Discard recording').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(strip(page)).toBeHidden();
});

test('an unplugged microphone leaves the recording for sending', async ({ page }) => {
  await record(page);
  await page.evaluate(() => {
    for (const track of window.microphones) {
      track.stop();
    }
  });
  await expect(page.getByText('The microphone was disconnected.')).toBeVisible();
  await expect(button(page, 'Send voice message')).toBeFocused();
  await expect(button(page, 'Pause recording')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(
    page.locator('article').last().getByRole('button', { name: 'Play voice message' }),
  ).toBeVisible();
});

test('a failed voice message is in the tray, still as a voice message', async ({ page }) => {
  await record(page);
  await delay(page, 'files.begin');
  await button(page, 'Send voice message').click();
  await expect(page.getByRole('progressbar', { name: 'Preparing files' })).toBeVisible();
  await refuse(page);
  const waiting = tray(page).getByRole('listitem');
  await expect(waiting).toContainText(/Voice message \d{4}-\d\d-\d\d at \d\d\.\d\d\.webm/);
  await expect(waiting).toContainText('The connection to Waxwing was lost.');
  await button(page, 'Send').click();
  await expect(
    page.locator('article').last().getByRole('button', { name: 'Play voice message' }),
  ).toBeVisible();
});

test('files wait until the recording has ended', async ({ page }) => {
  await record(page);
  await dropOn(page.locator('body'), [text('dropped.txt')]);
  await expect(page.getByText('Send or discard your recording first, then add your files.')).toBeVisible();
  await expect(tray(page)).toBeHidden();
});

test('the recording is whole and accessible', async ({ page }) => {
  await record(page);
  await button(page, 'Pause recording').click();
  await expectWhole(page);
  await expectAccessible(page);
  await button(page, 'Listen to recording').click();
  await expect(strip(page).getByRole('slider')).toBeVisible();
  await expectWhole(page);
  await expectAccessible(page);
});

test('in the pseudo-locale from right to left the recording is whole', async ({ page, openScene }) => {
  await openScene('one', { open: '1', lang: 'en-XB' });
  const form = page.locator('form').filter({ has: page.locator('textarea') });
  // Its last button is where Send was.
  await form.getByRole('button').last().click();
  const recording = form.getByRole('group').first();
  await expect(recording.getByRole('timer')).not.toHaveText('0:00');
  await expectWhole(page);
  await recording.getByRole('button').nth(1).click();
  await expect(recording.getByRole('slider')).toBeVisible();
  await expectWhole(page);
});
