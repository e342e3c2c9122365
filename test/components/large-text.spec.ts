/** Large text: addresses, names and placeholders are whole. */
import { expect, test } from './support.ts';

test('an address is not cut off and its groups do not overlap at 200 % text size and 360 pixels', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('request', { text: '200' });
  const name = page.getByRole('heading', { level: 2 }).getByText(/^0x/);
  await expect(name).toBeVisible();
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Details' }).click();
  const block = page.getByRole('region', { name: 'Details' }).locator('code').first();
  await expect(block).toBeVisible();
  const overlaps = await block.evaluate((code) => {
    const boxes = [...code.querySelectorAll('[aria-hidden]')].map((group) => {
      const range = document.createRange();
      range.selectNodeContents(group);
      return range.getBoundingClientRect();
    });
    return boxes.filter((box, index) => {
      const next = boxes[index + 1];
      return next !== undefined && next.top === box.top && next.left < box.right;
    }).length;
  });
  expect(overlaps).toBe(0);
});

test('at text of 200 % in 360 pixels no button of the lock screen is cut off', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('locked', { text: '200' });
  const forgot = page.getByRole('button', { name: 'Forgot your passphrase?' });
  await expect(forgot).toBeVisible();
  const { left, right } = await forgot.evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    const { left, right } = range.getBoundingClientRect();
    return { left, right };
  });
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(360);
});

test('at text of 200 % in 360 pixels the header of a chat shows its name, and its subtitle in one line', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('actions', { text: '200' });
  const header = page.locator('header').filter({ has: page.getByRole('button', { name: 'Details' }) });
  const name = header.getByRole('heading', { level: 2 }).locator('bdi');
  await expect(name).toBeVisible();
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  const lines = await header.getByText(/members$/).evaluate((element) => element.getClientRects().length);
  expect(lines).toBe(1);
  for (const button of await header.getByRole('button').all())
    await expect(button).toBeInViewport({ ratio: 1 });
});

test('at text of 200 % in 360 pixels the name of an API key is whole, and its button is below', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('desktop', { text: '200' });
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('navigation').getByRole('button', { name: 'API Settings' }).click();
  const row = settings.getByRole('listitem').filter({ hasText: 'Build notes' });
  const name = row.getByText('Build notes');
  await expect(name).toBeVisible();
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  const [text, button] = [await name.boundingBox(), await row.getByRole('button').boundingBox()];
  expect(button?.y).toBeGreaterThan((text?.y ?? 0) + (text?.height ?? 0));
});

test('at text of 200 % in 360 pixels the field of a message is beside the button that adds files', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('one', { open: '1', text: '200' });
  const add = await page.getByRole('button', { name: 'Add files' }).boundingBox();
  const field = await page.getByRole('textbox', { name: /^Message to/ }).boundingBox();
  expect(field?.y ?? 0).toBeLessThan((add?.y ?? 0) + (add?.height ?? 0));
  expect(field?.x ?? 0).toBeGreaterThanOrEqual((add?.x ?? 0) + (add?.width ?? 0));
});

test('at text of 200 % in 360 pixels a row of the chat list has room for the name and the draft', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('lists', { open: '', text: '200' });
  const row = page.getByRole('option').filter({ hasText: 'The Tuesday quiz' });
  await expect(row).toBeVisible();
  const widthOf = (words: string | RegExp) =>
    row
      .getByText(words)
      .first()
      .evaluate((element) => element.getBoundingClientRect().width);
  expect(await widthOf('The Tuesday quiz')).toBeGreaterThan(140);
  expect(await widthOf(/^Draft: An answer/)).toBeGreaterThan(140);
});

test('at text of 200 % in 360 pixels the mark of the first run keeps its size, and nothing is cut off', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openScene('first-run', { text: '200' });
  const mark = page.locator('main svg').first();
  await expect(mark).toBeVisible();
  expect(await mark.evaluate((element) => element.getBoundingClientRect().width)).toBe(36);
  expect(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
});
