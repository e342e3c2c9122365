/**
 * Pasting parts of a page or document into the composer, by the real clipboard and the real key.
 */
import { copy } from '../e2e/support/clipboard.ts';
import { composer, pasted } from './pasting.ts';
import { expect, test } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('actions');
  await expect(composer(page)).toBeFocused();
});

test('content without supported formatting is pasted as its plain text', async ({ page }) => {
  const cases: readonly (readonly [string, string])[] = [
    ['<p>One <span style="color:red">red</span> word</p>', 'plain: no marks'],
    ['<table><tr><td>a</td><td>b</td></tr></table>', 'plain: a table\tin columns'],
    [
      '<div style="white-space: pre"><span style="font-weight: bold">if</span>  (x)</div>',
      'plain: an editor',
    ],
    ['<p>un<b>believ</b>able</p>', 'plain: no mark stands inside a word'],
    ['<p>2 * <b>3</b> * 4 and *5*</p>', 'plain: its own signs would be marks'],
    ['<img src="https://elsewhere.example/x.png" alt="x">', 'plain: a picture'],
    [`<b>${'<i>'.repeat(400)}deep${'</i>'.repeat(400)}</b>`, 'plain: too deep'],
    ['<b>a</b><i>b</i> '.repeat(10_000), 'plain: too many parts'],
    [`<b>${'long '.repeat(50_000)}</b>`, 'plain: too long'],
  ];
  for (const [html, plain] of cases) expect(await pasted(page, html, plain), plain).toBe(plain);
});

test('formatting of office documents is read from their styles', async ({ page }) => {
  const html =
    '<b style="font-weight:normal"><p><span style="font-weight:700">Bold</span> and <span style="font-style:italic">italic</span> and <span style="text-decoration:line-through">gone</span></p></b>';
  expect(await pasted(page, html, 'x')).toBe('**Bold** and _italic_ and ~~gone~~');
});

test('a link whose text is its address stays an address; many links keep only their text', async ({
  page,
}) => {
  expect(
    await pasted(page, '<b>See</b> <a href="https://harbor.example/">harbor.example</a> today', 'x'),
  ).toBe('**See** https://harbor.example/ today');
  expect(await pasted(page, '<b>No</b> <a href="javascript:alert(1)">link</a>', 'x')).toBe('**No** link');
  const many = '<a href="https://harbor.example/map">map</a> '.repeat(6);
  expect(await pasted(page, `<b>Many</b>: ${many}`, 'x')).toBe('**Many**: map map map map map map');
});

test('in code, and with Shift, plain text is pasted', async ({ page }) => {
  expect(await pasted(page, '<b>bold</b>', 'as plain text', 'Control+Shift+v')).toBe('as plain text');
  await copy(page, '<b>bold</b>', 'plain');
  await composer(page).fill('```\n\n```');
  await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(4, 4));
  await page.keyboard.press('Control+v');
  await expect(composer(page)).toHaveValue('```\nplain\n```');
  await composer(page).fill('`` and ');
  await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(1, 1));
  await page.keyboard.press('Control+v');
  await expect(composer(page)).toHaveValue('`plain` and ');
  await composer(page).press('End');
  await page.keyboard.press('Control+v');
  await expect(composer(page)).toHaveValue('`plain` and **bold**');
});
