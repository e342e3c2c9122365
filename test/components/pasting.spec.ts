/**
 * Pasting parts of a page or document into the composer, by the real clipboard and the real key.
 */
import { composer, IN_MARKS, pasted } from './pasting.ts';
import { expect, test } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('actions');
  await expect(composer(page)).toBeFocused();
});

const DOCUMENT = `
  <h2>What to bring</h2>
  <p>A <b>warm</b> coat, <i>not <s>two</s></i>, and the <code>key</code>.<br>See you at the
  <a href="https://harbor.example/map">harbor</a>.</p>
  <ul><li>bread</li><li>water<ol start="3"><li>still</li><li>sparkling</li></ol></li></ul>
  <blockquote><p>No hurry.</p><p>Really.</p></blockquote>
  <pre><code class="language-js">let a = 1;\n  a += 1;</code></pre>`;

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

test('nothing of pasted HTML is loaded or run', async ({ page }) => {
  const requests: string[] = [];
  await page.route('https://elsewhere.example/**', (route) => {
    requests.push(route.request().url());
    return route.abort();
  });
  // As a hostile program writes it: the clipboard of the browser would sanitize it.
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
  expect(requests).toEqual([]);
  expect(await page.title()).not.toBe('ran');
});
