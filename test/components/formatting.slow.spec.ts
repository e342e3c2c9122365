/**
 * Marks around typed text: by the bar and by keys, with Undo, and with mentioned people.
 */
import { expectAccessible, expectWhole } from '../e2e/support/accessible.ts';
import { button, composer, select, sent, write } from './formatting.ts';
import { expect, test } from './support.ts';

test('the formatting bar is one Tab stop with arrow keys, in both writing directions', async ({
  page,
  openScene,
}) => {
  const addFiles = page.getByRole('button', { name: 'Add files' });
  /** The button for files is between the field and the bar. */
  const toBar = async () => {
    await page.keyboard.press('Shift+Tab');
    await expect(addFiles).toBeFocused();
    await page.keyboard.press('Shift+Tab');
  };
  await openScene('actions');
  await write(page, 'words');
  await select(page, 'words');
  await page.getByRole('button', { name: 'Show formatting' }).click();
  await composer(page).focus();
  await toBar();
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
  await expect(addFiles).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(composer(page)).toBeFocused();
  await expectAccessible(page);
  await toBar();
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('- words');
  await expect(composer(page)).toBeFocused();
  await toBar();
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeFocused();

  await page.setViewportSize({ width: 360, height: 640 });
  await openScene('actions', { lang: 'en-XB' });
  const buttons = page.getByRole('toolbar').getByRole('button');
  await expect(buttons).toHaveCount(7);
  await buttons.first().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(buttons.nth(1)).toBeFocused();
  // A tooltip is outside of all landmarks.
  await page.locator('form textarea').focus();
  await expect(page.getByText(/Ctrl I/)).toHaveCount(0);
  await expectWhole(page);
});

test('Undo and Redo move by one formatting step', async ({ page, openScene }) => {
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

test('formatting keys work in the field, and keep their usual meaning elsewhere', async ({
  page,
  openScene,
}) => {
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
  await page.keyboard.press('ControlOrMeta+.');
  await expect(details).toHaveCount(isOpen ? 0 : 1);
});

test('a mention survives surrounding marks and Undo', async ({ page, openScene }) => {
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

test('Shift+Enter in a list starts the next item, in an empty item it ends the list, and Undo reverts it', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await write(page, '9. one');
  await page.keyboard.press('Shift+Enter');
  await expect(composer(page)).toHaveValue('9. one\n10. ');
  await page.keyboard.type('two');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await expect(composer(page)).toHaveValue('9. one\n10. two\n');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(composer(page)).toHaveValue('9. one\n10. two\n11. ');
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('after');
  await page.keyboard.press('Shift+Enter');
  await expect(composer(page)).toHaveValue('9. one\n10. two\nafter\n');
  await page.keyboard.press('Enter');
  await expect(sent(page).locator('ol > li')).toHaveText(['one', 'two']);
});
