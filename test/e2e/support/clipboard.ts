/**
 * Copies by another program, with the real clipboard and the real key: a page of another origin copies.
 */
import type { Page } from '@playwright/test';

const ELSEWHERE = 'https://elsewhere.example/';
/** A PNG. */
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** Opens a page of another program beside the app's. */
async function elsewhere(page: Page, body: string): Promise<Page> {
  const other = await page.context().newPage();
  const document = `<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title><body>${body}</body>`;
  await other.route(ELSEWHERE, (route) => route.fulfill({ contentType: 'text/html', body: document }));
  await other.goto(ELSEWHERE);
  return other;
}

/** Presses the key for copying in another program, which copies on the release, and returns. */
async function copyIn(other: Page, page: Page): Promise<void> {
  await other.keyboard.press('Control+c');
  await other.close();
  await page.bringToFront();
}

/** Copies a whole web page, as after Select all. */
export async function copyPage(page: Page, body: string): Promise<void> {
  const other = await elsewhere(page, body);
  await other.keyboard.press('Control+a');
  await copyIn(other, page);
}

/** Copies exactly these texts, as an office program or editor stores them. */
export async function copy(page: Page, html: string, plain: string): Promise<void> {
  const other = await elsewhere(page, '');
  await other.evaluate(
    ([html = '', plain = '']) => {
      document.addEventListener('copy', (event) => {
        event.clipboardData?.setData('text/html', html);
        event.clipboardData?.setData('text/plain', plain);
        event.preventDefault();
      });
    },
    [html, plain],
  );
  await copyIn(other, page);
}

/** Copies a picture. */
export async function copyImage(page: Page): Promise<void> {
  await page
    .context()
    .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(ELSEWHERE).origin });
  const other = await elsewhere(page, '');
  await other.evaluate(
    async (png) => {
      const image = new Blob([Uint8Array.from(png)], { type: 'image/png' });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })]);
    },
    [...Buffer.from(ONE_PIXEL, 'base64')],
  );
  await other.close();
  await page.bringToFront();
}
