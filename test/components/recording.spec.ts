/** Recording voice messages, with Chromium's fake microphone, which beeps. */
import { choose, composer, text, writtenFiles } from './files.ts';
import { button, openChat, record, states, strip, test, withMicrophone } from './recording.ts';
import { expect } from './support.ts';

const refusedTest = withMicrophone('deny');

test.beforeEach(openChat);

test('C5: a recording is sent with its waveform and length, and the microphone is off', async ({ page }) => {
  const written = writtenFiles(page);
  await record(page);
  await expect(page.getByText('Recording started')).toBeAttached();
  await expect(button(page, 'Pause recording')).toBeFocused();
  expect(await states(page)).toEqual(['live']);
  await button(page, 'Send voice message').click();
  const sent = page.locator('article').last();
  await expect(sent.getByRole('button', { name: 'Play voice message' })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(page.getByText('Recording ended')).toBeAttached();
  expect(await states(page)).toEqual(['ended']);
  expect((await written.read(0)).subarray(0, 4).toString('hex')).toBe('1a45dfa3');
  const heights = await sent
    .locator('rect')
    .evaluateAll((all) => all.map((each) => Number(each.getAttribute('height'))));
  expect(heights).toHaveLength(64);
  expect(Math.max(...heights)).toBe(100);
  expect(new Set(heights).size).toBeGreaterThan(3);
  await expect(sent.getByRole('slider')).toHaveAttribute('aria-valuetext', /of 0:(?:0[1-9]|[1-5]\d)$/);
});

test('Send replaces the microphone button for text and for files', async ({ page }) => {
  await expect(button(page, 'Send')).toBeHidden();
  await composer(page).fill('Hello');
  await expect(button(page, 'Send')).toBeEnabled();
  await expect(button(page, 'Record voice message')).toBeHidden();
  await composer(page).fill('');
  await choose(page, text('one.txt'));
  await expect(button(page, 'Send')).toBeEnabled();
  await button(page, 'Remove one.txt').click();
  await expect(button(page, 'Record voice message')).toBeVisible();
});

refusedTest('a refused microphone gets a sentence, and the focus stays', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await button(page, 'Record voice message').click();
  await expect(
    page.getByText('To record, allow Waxwing to use the microphone in your system or browser settings.'),
  ).toBeVisible();
  await expect(strip(page)).toBeHidden();
  await expect(button(page, 'Record voice message')).toBeFocused();
});

for (const [name, sentence] of [
  ['NotFoundError', 'No microphone found.'],
  ['NotReadableError', 'The microphone couldn’t be used.'],
] as const) {
  test(`a microphone with the error ${name} shows a message`, async ({ page }) => {
    await page.evaluate((each) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', each));
    }, name);
    await button(page, 'Record voice message').click();
    await expect(page.getByText(sentence)).toBeVisible();
  });
}

test('the question for the microphone can be canceled, and a late microphone is turned off', async ({
  page,
}) => {
  await page.evaluate(() => {
    const getUserMedia = navigator.mediaDevices.getUserMedia;
    const answer = Promise.withResolvers<void>();
    Object.assign(window, { answerQuestion: answer.resolve });
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      await answer.promise;
      return getUserMedia(wanted);
    };
  });
  await button(page, 'Record voice message').click();
  await expect(page.getByText('Allow Waxwing to use your microphone')).toBeVisible();
  await expect(button(page, 'Cancel recording')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeFocused();
  await page.evaluate(() => (window as unknown as { answerQuestion: () => void }).answerQuestion());
  await expect.poll(() => states(page)).toEqual(['ended']);
  await expect(strip(page)).toBeHidden();
});
