/**
 * Pasting parts of a page or document into the composer, by the real clipboard and the real key.
 */
import type { Page } from '@playwright/test';
import { copy } from '../e2e/support/clipboard.ts';
import { expect, test } from './support.ts';

const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });

test.beforeEach(async ({ page, openScene }) => {
  await openScene('actions');
  await expect(composer(page)).toBeFocused();
});

async function pasted(page: Page, html: string, plain: string, keys = 'Control+v'): Promise<string> {
  await copy(page, html, plain);
  await composer(page).fill('');
  await page.keyboard.press(keys);
  await expect(composer(page)).not.toHaveValue('');
  return composer(page).inputValue();
}

const DOCUMENT = `
  <h2>What to bring</h2>
  <p>A <b>warm</b> coat, <i>not <s>two</s></i>, and the <code>key</code>.<br>See you at the
  <a href="https://harbor.example/map">harbor</a>.</p>
  <ul><li>bread</li><li>water<ol start="3"><li>still</li><li>sparkling</li></ol></li></ul>
  <blockquote><p>No hurry.</p><p>Really.</p></blockquote>
  <pre><code class="language-js">let a = 1;\n  a += 1;</code></pre>`;

const IN_MARKS = `**What to bring**

A **warm** coat, _not ~~two~~_, and the \`key\`.
See you at the harbor (https://harbor.example/map).

- bread
- water
  3. still
  4. sparkling

> No hurry.
>
> Really.

\`\`\`js
let a = 1;
  a += 1;
\`\`\``;

test('headings, emphasis, links, lists, quotes and code keep their formatting when pasted and sent', async ({
  page,
}) => {
  expect(await pasted(page, DOCUMENT, 'What to bring …')).toBe(IN_MARKS);
  await page.keyboard.press('Control+z');
  await expect(composer(page), 'Undo takes it back in one step').toHaveValue('');
  await page.keyboard.press('Control+v');
  await page.keyboard.press('Enter');
  const sent = page.locator('article').last();
  await expect(sent.locator('strong').first()).toHaveText('What to bring');
  await expect(sent.getByRole('listitem')).toHaveCount(4);
  await expect(sent.getByRole('blockquote')).toContainText('Really.');
  await expect(sent.locator('em s')).toHaveText('two');
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

test('nothing of pasted HTML is loaded or run', async ({ page }) => {
  const asked: string[] = [];
  await page.route('https://elsewhere.example/**', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  // As a hostile program puts it there: the clipboard of the browser would clean it.
  await composer(page).evaluate((field) => {
    const data = new DataTransfer();
    data.setData(
      'text/html',
      `<b>words</b><img src="https://elsewhere.example/a.png" onerror="document.title='ran'">
       <script>document.title='ran'</script><link rel="stylesheet" href="https://elsewhere.example/b.css">
       <iframe srcdoc="<script>parent.document.title='ran'</script>"></iframe><svg onload="document.title='ran'"></svg>`,
    );
    field.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await expect(composer(page)).toHaveValue('**words**');
  // The field would load or run pasted contents at once: two frames later a request would be recorded.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  expect(asked).toEqual([]);
  expect(await page.title()).not.toBe('ran');
});
