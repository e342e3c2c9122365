/**
 * Content of other programs, pasted and dropped into the real app under its own policy.
 */
import type { Page } from '@playwright/test';
import { copied } from '../support/copied-html.ts';
import { temporaryFolder } from '../support/engine.ts';
import { copy, copyImage, copyPage } from './support/clipboard.ts';
import { firstRun, greetEcho } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const tray = (page: Page) => page.getByRole('list', { name: 'Files to send' });

/** Pastes into the empty composer. */
async function paste(page: Page): Promise<string> {
  await composer(page).fill('');
  await page.keyboard.press('Control+v');
  await expect(composer(page)).not.toHaveValue('');
  return composer(page).inputValue();
}

/** A drag from outside of the window, as the system reports it: of a file, or of a text. */
async function drop(page: Page, on: string, what: { file?: string; text?: string }): Promise<void> {
  const box = await page.locator(on).boundingBox();
  if (!box) throw new Error(`nothing is at ${on}`);
  const cdp = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const items = what.text === undefined ? [] : [{ mimeType: 'text/plain', data: what.text }];
  const data = { items, files: what.file === undefined ? [] : [what.file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, ...at, data });
  }
  await cdp.detach();
}

test('content pasted or dropped from other programs keeps its formatting; files are added to the message', async ({
  page,
}) => {
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path]);
  await page.goto(await app.url());
  await firstRun(page, 'ann');
  await greetEcho(page, 'Hello');
  await expect(composer(page)).toBeFocused();
  const { origin } = new URL(page.url());

  for (const [program, { html, plain, pasted }] of Object.entries(copied)) {
    await test.step(`copied in ${program}`, async () => {
      await copy(page, html, plain);
      expect(await paste(page)).toBe(pasted);
    });
  }

  await test.step('copied from a page with the keyboard, and sent', async () => {
    await copyPage(
      page,
      '<h2>Herons</h2><p>A <b>grey</b> one and <i>two</i> white ones.</p><ul><li>bread</ul>',
    );
    expect(await paste(page)).toBe('**Herons**\n\nA **grey** one and _two_ white ones.\n\n- bread');
    await page.keyboard.press('Enter');
    const sent = page.getByRole('article', { name: /Your message/ }).last();
    await expect(sent.locator('strong')).toHaveText(['Herons', 'grey']);
    await expect(sent.getByRole('listitem')).toHaveText('bread');
  });

  await test.step('a pasted picture is added to the message', async () => {
    await copyImage(page);
    await composer(page).focus();
    await page.keyboard.press('Control+v');
    await expect(tray(page).locator('img')).toBeVisible();
    await expect(composer(page)).toHaveValue('');
    await page.getByRole('button', { name: /^Remove/ }).click();
    await expect(tray(page)).toBeHidden();
  });

  await test.step('a text is dropped into the composer', async () => {
    await drop(page, 'textarea', { text: 'from elsewhere' });
    await expect(composer(page)).toHaveValue('from elsewhere');
  });

  for (const place of ['textarea', 'main > section']) {
    await test.step(`a file dropped on ${place} is added to the message, and does not replace the app`, async () => {
      await drop(page, place, { file: import.meta.filename });
      await expect(tray(page).getByRole('listitem')).toContainText('pasting.spec.ts');
      await page.getByRole('button', { name: /^Remove/ }).click();
      await expect(tray(page)).toBeHidden();
      await expect(composer(page)).toHaveValue('from elsewhere');
      expect(new URL(page.url()).origin).toBe(origin);
    });
  }
});
