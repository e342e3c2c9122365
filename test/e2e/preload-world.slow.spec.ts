/**
 * The tests' stand-in for Electron's preload world behaves as Electron documents.
 */
import type { Page } from '@playwright/test';
import { PreloadWorld } from './support/electron/preload-world.ts';
import { expect, test } from './support/watched.ts';

type ReceivedCall = [sender: unknown, channel: string, message: unknown];

/** A page with a preload script, and the messages that it has sent. */
async function open(page: Page, preload: string): Promise<{ world: PreloadWorld; received: ReceivedCall[] }> {
  const received: ReceivedCall[] = [];
  const source = `const { contextBridge, ipcRenderer } = require('electron');\n${preload}`;
  const world = await PreloadWorld.install(page, source, (...message) => received.push(message));
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto('https://waxwing/');
  return { world, received };
}

/** Value of an expression in the page's own world, or the message of its error. */
function inPage(page: Page, expression: string): Promise<unknown> {
  return page.evaluate(`(async () => (${expression}))().catch((error) => error.message)`);
}

test('exposed values are frozen copies, with functions and promises of the preload script', async ({
  page,
}) => {
  await open(
    page,
    `const state = { count: 0, list: [1] };
     contextBridge.exposeInMainWorld('api', {
       state,
       count: () => ++state.count,
       later: async (value) => ({ value }),
       never: async () => { throw new TypeError('not today'); },
       throws: () => { throw new TypeError('at once'); },
       each: (list, use) => list.map((item) => use(item)),
       map: () => new Map([['a', 1]]),
       own: (value) => Object.getPrototypeOf(value) === Object.prototype,
     });`,
  );
  expect(await inPage(page, '[api.count(), api.count(), api.state.count]')).toEqual([1, 2, 0]);
  expect(
    await inPage(page, '[api, api.state, api.state.list, api.count].every((each) => Object.isFrozen(each))'),
  ).toBe(true);
  expect(await inPage(page, 'Object.isFrozen(await api.later(1))')).toBe(false);
  expect(await inPage(page, 'await api.later({ deep: [undefined, null, 2n] })')).toEqual({
    value: { deep: [undefined, null, 2n] },
  });
  expect(await inPage(page, 'api.each([1, 2], (item) => item * 10)')).toEqual([10, 20]);
  expect(await inPage(page, 'api.map().get("a")')).toBe(1);
  // Only the message of an error arrives.
  expect(await inPage(page, 'await api.never().catch((error) => [error.name, error.message])')).toEqual([
    'Error',
    'not today',
  ]);
  expect(await inPage(page, 'api.throws()')).toBe('at once');
  // Objects are the own world's on both sides.
  expect(await inPage(page, 'api.own({}) && Object.getPrototypeOf(api) === Object.prototype')).toBe(true);
  expect(await inPage(page, 'api.own(document.body)')).toMatch(/could not be cloned/);
  expect(
    await inPage(
      page,
      '(() => { "use strict"; try { window.api = 1; } catch (error) { return error.name; } })()',
    ),
  ).toBe('TypeError');
});

test('a name is exposed once, and replaces nothing of the page', async ({ page }) => {
  const { received } = await open(
    page,
    `contextBridge.exposeInMainWorld('api', 1);
     for (const name of ['api', 'fetch']) {
       try { contextBridge.exposeInMainWorld(name, 2); } catch (error) { ipcRenderer.send('refused', error.message); }
     }`,
  );
  const refused = 'Cannot bind an API on top of an existing property on the window object';
  await expect
    .poll(() => received)
    .toEqual([
      ['top', 'refused', refused],
      ['top', 'refused', refused],
    ]);
  expect(await inPage(page, 'api')).toBe(1);
});

test('script and page share no globals; require exists for electron only', async ({ page }) => {
  const { received } = await open(
    page,
    `globalThis.secret = 1;
     try { require('fs'); } catch (error) { ipcRenderer.send('refused', error.message); }
     contextBridge.exposeInMainWorld('look', () => ['trap', 'sendToMain', 'process'].map((name) => typeof globalThis[name]));`,
  );
  expect(
    await inPage(
      page,
      '["secret", "require", "sendToMain", "receiveFromMain"].map((name) => typeof globalThis[name])',
    ),
  ).toEqual(['undefined', 'undefined', 'undefined', 'undefined']);
  expect(await inPage(page, '(globalThis.trap = 1, look())')).toEqual(['undefined', 'function', 'undefined']);
  await expect.poll(() => received).toEqual([['top', 'refused', 'module not found: fs']]);
});

test('messages are structured clones; uncloneable values are not sent', async ({ page }) => {
  const { world, received } = await open(
    page,
    `const sent = { none: undefined, nan: NaN, big: 5n, when: new Date(7), bytes: new Uint8Array([1, 2]), list: [[null]] };
     ipcRenderer.send('all', sent);
     try { ipcRenderer.send('function', () => 1); } catch (error) { ipcRenderer.send('refused', error.name); }
     ipcRenderer.on('echo', (_event, message) => ipcRenderer.send('echoed', message));`,
  );
  await world.deliver('echo', { text: 'there and back', none: undefined });
  await world.deliver('nobody listens', 1);
  await expect.poll(() => received.length).toBe(3);
  expect(received).toEqual([
    [
      'top',
      'all',
      {
        none: undefined,
        nan: Number.NaN,
        big: 5n,
        when: new Date(7),
        bytes: new Uint8Array([1, 2]),
        list: [[null]],
      },
    ],
    ['top', 'refused', 'DataCloneError'],
    ['top', 'echoed', { text: 'there and back', none: undefined }],
  ]);
});

test('a frame inside the page has no preload script, and its messages are distinguishable', async ({
  page,
}) => {
  const { world, received } = await open(page, `contextBridge.exposeInMainWorld('api', 1);`);
  expect(
    await inPage(
      page,
      '(() => { const frame = document.createElement("iframe"); document.body.append(frame); return "api" in frame.contentWindow; })()',
    ),
  ).toBe(false);
  await world.sendFromFrame('about:blank', 'channel', 1);
  await world.sendFromTop('channel', 2);
  await expect
    .poll(() => received)
    .toEqual([
      [{ url: 'about:blank', origin: 'app://waxwing' }, 'channel', 1],
      ['top', 'channel', 2],
    ]);
});
