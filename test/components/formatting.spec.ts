/**
 * Marks around what is written: by the bar and by keys, with Undo, and with the people who are mentioned.
 */
import type { Page } from '@playwright/test';
import { expectAccessible, expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Formatting' });
const button = (page: Page, name: string) => bar(page).getByRole('button', { name });
const sent = (page: Page) => page.locator('article').last();

async function write(page: Page, text: string): Promise<void> {
  await expect(composer(page)).toBeFocused();
  await page.keyboard.insertText(text);
  await expect(composer(page)).toHaveValue(text);
}

/** Selects words of the field. */
async function select(page: Page, words: string): Promise<void> {
  await composer(page).evaluate((field: HTMLTextAreaElement, part) => {
    const from = field.value.indexOf(part);
    field.setSelectionRange(from, from + part.length);
  }, words);
}

const selected = (page: Page) =>
  composer(page).evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  );

test('the bar marks what is selected, takes marks away, says which are on, and is remembered', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await write(page, 'the long way');
  await expect(bar(page)).toHaveCount(0);
  await select(page, 'long');
  await page.getByRole('button', { name: 'Show formatting' }).click();
  await expect(bar(page)).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(button(page, 'Bold')).toHaveAttribute('aria-pressed', 'false');
  await button(page, 'Bold').click();
  await expect(composer(page)).toHaveValue('the **long** way');
  await expect(composer(page)).toBeFocused();
  expect(await selected(page)).toBe('long');
  await expect(button(page, 'Bold')).toHaveAttribute('aria-pressed', 'true');
  await button(page, 'Italic').click();
  await expect(composer(page)).toHaveValue('the **_long_** way');
  await button(page, 'Bold').click();
  await expect(composer(page)).toHaveValue('the _long_ way');
  await button(page, 'Quote').click();
  await expect(composer(page)).toHaveValue('> the _long_ way');
  await page.keyboard.press('Enter');
  await expect(sent(page).locator('blockquote em')).toHaveText('long');
  await openScene('actions');
  await expect(bar(page)).toBeVisible();
  await page.getByRole('button', { name: 'Hide formatting' }).click();
  await expect(bar(page)).toHaveCount(0);
});

test('each step is one that Undo takes back, and Redo brings again', async ({ page, openScene }) => {
  await openScene('actions');
  await write(page, 'one\ntwo');
  const steps = ['- one\n- two', 'one\ntwo', '**one**\n**two**', 'one\ntwo', '```\none\ntwo\n```'];
  const keys = ['Shift+Digit8', 'Shift+Digit8', 'b', 'b', 'e'];
  await page.keyboard.press('ControlOrMeta+a');
  for (const [index, key] of keys.entries()) {
    await page.keyboard.press(`ControlOrMeta+${key}`);
    await expect(composer(page)).toHaveValue(steps[index] ?? '');
  }
  for (const before of ['one\ntwo', '**one**\n**two**', 'one\ntwo', '- one\n- two', 'one\ntwo']) {
    await page.keyboard.press('ControlOrMeta+z');
    await expect(composer(page)).toHaveValue(before);
  }
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(composer(page)).toHaveValue('- one\n- two');
});

test('in the field the keys format, and elsewhere they do what they do', async ({ page, openScene }) => {
  await openScene('actions');
  await expect(composer(page)).toBeFocused();
  const details = page.getByRole('region', { name: 'Details' });
  const isOpen = (await details.count()) > 0;
  for (const [key, text] of [
    ['b', '****'],
    ['i', '__'],
    ['Shift+x', '~~~~'],
    ['e', '``'],
    ['Shift+u', 'https://'],
    ['Shift+Digit9', '> '],
    ['Shift+Digit8', '- '],
  ] as const) {
    await page.keyboard.press(`ControlOrMeta+${key}`);
    await expect(composer(page)).toHaveValue(text);
    await page.keyboard.press(`ControlOrMeta+${key}`);
    await expect(composer(page)).toHaveValue('');
  }
  await expect(details).toHaveCount(isOpen ? 1 : 0);
  await page.keyboard.press('ControlOrMeta+b');
  await page.keyboard.type('bold');
  await page.keyboard.press('ControlOrMeta+b');
  await page.keyboard.type(' not');
  await expect(composer(page)).toHaveValue('**bold** not');
  await page.keyboard.press('Control+/');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list.getByText('Strikethrough')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await page.locator('article').last().focus();
  await page.keyboard.press('ControlOrMeta+i');
  await expect(details).toHaveCount(isOpen ? 0 : 1);
});

test('who is mentioned stays so where marks come around, and after Undo', async ({ page, openScene }) => {
  await openScene('actions');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type('ask @be');
  await expect(
    page.getByRole('listbox', { name: 'People to mention' }).getByRole('option', { name: /Ben/ }),
  ).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('ask @Ben Okafor ');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+b');
  await expect(composer(page)).toHaveValue('**ask @Ben Okafor** ');
  const marks = page.getByRole('form').locator('mark');
  await expect(marks).toHaveText('@Ben Okafor');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(composer(page)).toHaveValue('ask @Ben Okafor ');
  await expect(marks).toHaveText('@Ben Okafor');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(marks).toHaveText('@Ben Okafor');
  await page.keyboard.press('Enter');
  await expect(sent(page).locator('strong').getByRole('button', { name: '@Ben Okafor' })).toBeVisible();
});

test('the bar is one stop for Tab with arrows in it, in both directions of writing', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await write(page, 'words');
  await select(page, 'words');
  await page.getByRole('button', { name: 'Show formatting' }).click();
  await composer(page).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(button(page, 'Bold')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(button(page, 'Italic')).toBeFocused();
  await page.keyboard.press('End');
  await expect(button(page, 'List')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(button(page, 'Bold')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(button(page, 'List')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(composer(page)).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('- words');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeFocused();

  await page.setViewportSize({ width: 360, height: 640 });
  await openScene('actions', { lang: 'en-XB' });
  const buttons = page.getByRole('toolbar').getByRole('button');
  await expect(buttons).toHaveCount(7);
  await buttons.first().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(buttons.nth(1)).toBeFocused();
  // A tooltip stands outside of all landmarks.
  await page.locator('form textarea').focus();
  await expect(page.getByText(/Ctrl I/)).toHaveCount(0);
  await expectWhole(page);
});
