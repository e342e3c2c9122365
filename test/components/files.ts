/** Files for tests, and the ways of giving them to the composer. */
import { utimesSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';

export const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
export const tray = (page: Page) => page.getByRole('list', { name: 'Files to send' });

export interface TestFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export const text = (name: string, content = `contents of ${name}`): TestFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

/** Chooses files in the picker of the composer. */
export async function choose(page: Page, ...files: readonly TestFile[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add files' }).click(),
  ]);
  await chooser.setFiles([...files]);
}

/** A picture drawn by the browser: the left half red, the right half blue. */
export async function picture(
  page: Page,
  name: string,
  mimeType: string,
  [width, height]: readonly [number, number] = [120, 80],
): Promise<TestFile> {
  const data = await page.evaluate(
    async ([type, w, h]) => {
      const canvas = new OffscreenCanvas(w, h);
      const context = canvas.getContext('2d');
      if (!context) throw new TypeError('no context');
      context.fillStyle = 'red';
      context.fillRect(0, 0, w / 2, h);
      context.fillStyle = 'blue';
      context.fillRect(w / 2, 0, w / 2, h);
      const blob = await canvas.convertToBlob({ type });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [mimeType, width, height] as const,
  );
  return { name, mimeType, buffer: Buffer.from(data) };
}

/** A picture of random pixels, of about 3 MB: it stays as large when it is drawn again. */
export async function noisePicture(page: Page, name: string): Promise<TestFile> {
  const data = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1000, 1000);
    const context = canvas.getContext('2d');
    if (!context) throw new TypeError('no context');
    const image = context.createImageData(1000, 1000);
    for (let at = 0; at < image.data.length; at += 65_536)
      crypto.getRandomValues(image.data.subarray(at, at + 65_536));
    for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
    context.putImageData(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/png' });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const parts = [];
    for (let at = 0; at < bytes.length; at += 8_192)
      parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
    return btoa(parts.join(''));
  });
  return { name, mimeType: 'image/png', buffer: Buffer.from(data, 'base64') };
}

/** A short film of 160 by 90 pixels, recorded by the browser: red and blue in turn. */
export async function film(page: Page, name: string): Promise<TestFile> {
  const data = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 160;
    canvas.height = 90;
    const context = canvas.getContext('2d');
    const stream = canvas.captureStream(30);
    const recorder = new MediaRecorder(stream, { mimeType: 'video/webm' });
    const chunks: Blob[] = [];
    recorder.ondataavailable = ({ data }) => chunks.push(data);
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let frame = 0; frame < 20; frame++) {
      if (context) context.fillStyle = frame % 2 === 0 ? 'red' : 'blue';
      context?.fillRect(0, 0, 160, 90);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    recorder.stop();
    await stopped;
    return [...new Uint8Array(await new Blob(chunks).arrayBuffer())];
  });
  return { name, mimeType: 'video/webm', buffer: Buffer.from(data) };
}

/** EXIF as a camera writes it: turned by 90 degrees, and a text in place of coordinates. */
export function withExif({ buffer, ...rest }: TestFile): TestFile {
  const tiff = Buffer.concat([
    Buffer.from('4d4d002a00000008000201120003000000010006000001310002000000110000002600000000', 'hex'),
    Buffer.from('GPS 47.54, 9.68.\0'),
  ]);
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1, 0);
  head.writeUInt16BE(body.length + 2, 2);
  return { ...rest, buffer: Buffer.concat([buffer.subarray(0, 2), head, body, buffer.subarray(2)]) };
}

/** Drops files on a place of the page, as a file manager does. */
export async function dropOn(target: Locator, files: readonly TestFile[], release = true): Promise<void> {
  const contents = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    bytes: buffer.toString('base64'),
  }));
  const data = await target.page().evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, bytes } of all) {
      const content = Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0));
      transfer.items.add(new File([content], name, { type: mimeType }));
    }
    return transfer;
  }, contents);
  for (const type of ['dragenter', 'dragover', ...(release ? ['drop'] : [])]) {
    await target.dispatchEvent(type, { dataTransfer: data });
  }
}

/** Bytes that were written to the host, with their addresses, in order. */
export function writtenFiles(page: Page): { paths: string[]; read: (index: number) => Promise<Buffer> } {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (request.method() === 'PUT' && !paths.includes(origin + pathname)) paths.push(origin + pathname);
  });
  return {
    paths,
    read: async (index) => (await page.request.get(paths[index] ?? '')).body(),
  };
}

/** Chooses a file that changes before the page reads it: the browser reports it as one that cannot be read. */
export async function chooseChanged(
  picker: Locator,
  path: string,
  change = (chosen: string) => utimesSync(chosen, 0, 0),
): Promise<void> {
  writeFileSync(path, '{"type":"account"}\n');
  await picker.evaluate((input) =>
    input.ownerDocument.addEventListener('change', (event) => event.stopImmediatePropagation(), {
      capture: true,
      once: true,
    }),
  );
  await picker.setInputFiles(path);
  await picker.evaluate((input: HTMLInputElement) => input.files?.[0]?.lastModified);
  change(path);
  await picker.dispatchEvent('change');
}
