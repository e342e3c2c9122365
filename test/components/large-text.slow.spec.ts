/** Large text: labels beside a field are centered on its line, and addresses are whole. */
import type { Locator } from '@playwright/test';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

/** The vertical middle, in pixels. */
const middle = (part: Locator) =>
  part.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return (top + bottom) / 2;
  });

/** Parts that load above both move them between two measurements. */
const expectCentered = (part: Locator, beside: Locator) =>
  expect.poll(async () => (await middle(part)) - (await middle(beside))).toBeCloseTo(0, 0);

test('buttons beside a field are centered on its line at 200 % text size', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await openScene('one', { open: '1', text: '200' });
  const field = page.getByRole('textbox', { name: /^Message to/ });
  await expect(field).toBeVisible();
  const expectBeside = (name: string) => expectCentered(page.getByRole('button', { name }), field);
  for (const name of ['Show formatting', 'Insert emoji', 'Record voice message']) await expectBeside(name);
  await field.fill('Hello');
  await expectBeside('Send');
  await page.getByRole('button', { name: 'Details' }).click();
  const nickname = page.getByRole('textbox', { name: 'Nickname' });
  await expectCentered(page.getByRole('button', { name: 'Save' }), nickname);
});

test('the list of chats shows a shortened address whole, at text of 200 % in 360 pixels', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('request', { open: '', text: '200' });
  const requests = page.getByRole('button', { name: /^Message requests/ });
  await requests.click();
  const name = page.getByRole('option').getByText(/^0x/).first();
  await expect(name).toBeVisible();
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
});

test('the button beside the own picture in Settings is centered on it at text of 200 %', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await openScene('one', { text: '200' });
  const settings = await openSettings(page, 'Account');
  const button = settings.getByRole('button', { name: 'Add picture' });
  await expect(button).toBeVisible();
  const picture = settings.getByText('RR', { exact: true });
  await expectCentered(button, picture);
});

test('at text of 200 % in 360 pixels a device and the server have whole words', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('one', { text: '200' });
  await page.getByRole('button', { name: 'Settings' }).last().click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  /** The number of lines. */
  const lines = (part: Locator) =>
    part.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
  await settings.getByRole('button', { name: 'Devices', exact: true }).click();
  expect(await lines(settings.getByText('This computer', { exact: true }))).toBe(1);
  await page.keyboard.press('Escape');
  await settings.getByRole('button', { name: 'Server', exact: true }).click();
  expect(await lines(settings.getByText('https://relay.example', { exact: true }))).toBe(1);
});

test('at text of 200 % in 360 pixels the placeholder of the message field is whole', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('one', { open: '1', text: '200' });
  const field = page.getByRole('textbox', { name: 'Message to Echo' });
  await expect(field).toBeVisible();
  const { room, word } = await field.evaluate((element) => {
    const style = getComputedStyle(element);
    const context = document.createElement('canvas').getContext('2d');
    if (!context) throw new Error('no canvas');
    context.font = style.font;
    const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
    return { room: element.clientWidth - padding, word: context.measureText('Message Echo').width };
  });
  expect(room).toBeGreaterThanOrEqual(word);
  expect(await field.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
});
