import { expect, test } from 'vitest';
import { procedures } from '../../../src/bridge/contract.ts';
import { BRIDGE_CHANNEL } from '../../../src/bridge/ipc.ts';
import { defaultSettings } from '../../../src/bridge/shapes.ts';
import type { Calls } from '../../../src/host/calls.ts';
import { APP_SCHEME, appSchemeHandler } from '../../../src/main/app-scheme.ts';
import { connectWindow } from '../../../src/main/ipc.ts';
import { createWindow } from '../../../src/main/window.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { FrameDouble } from '../../support/electron/web-contents.ts';

/** A window that is connected to calls which only note what reaches them. */
async function connected() {
  const electron = new ElectronDouble();
  electron.protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  electron.app.becomeReady();
  const page = { type: 'text/html', body: Buffer.from('<!doctype html>') };
  electron.protocol.handle('app', appSchemeHandler(new Map([['/', page]])));
  const window = await createWindow(electron.parts, '/out/preload/index.cjs');
  const reached: [string, unknown][] = [];
  const calls: Calls = {
    async call(name, input) {
      reached.push([name, input]);
      return { ok: true, value: null };
    },
    onEvent: () => () => undefined,
    tell: () => undefined,
    settings: () => defaultSettings,
    attended: () => null,
  };
  const disconnect = connectWindow(electron.parts, window, calls);
  const send = (
    message: unknown,
    frame: FrameDouble | null = electron.window.contents.frame,
    sender = electron.window.contents,
  ) => electron.ipcMain.deliver(BRIDGE_CHANNEL, sender, frame, message);
  return { electron, reached, send, disconnect };
}

/** Long enough for what was let in to reach the calls. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const callOf = (name: string) => ({ t: 'q', i: '1', m: 'call', a: [name, {}] });
const names = Object.keys(procedures);

test('every procedure reaches the calls from our page', async () => {
  const { reached, send } = await connected();
  for (const name of names) send(callOf(name));
  await settled();
  expect(reached).toEqual(names.map((name) => [name, {}]));
});

test.each([
  ['a page of another name', new FrameDouble('app://waxwing.evil', 'app://waxwing.evil/')],
  ['a file', new FrameDouble('file://', 'file:///home/somebody/page.html')],
  ['an empty page', new FrameDouble('null', 'about:blank')],
  ['a page of this computer', new FrameDouble('http://127.0.0.1:8080', 'http://127.0.0.1:8080/')],
  ['a frame inside our page', new FrameDouble('app://waxwing', 'app://waxwing/')],
  ['a frame that is gone', null],
])('no procedure can be called from %s', async (_what, frame) => {
  const { reached, send } = await connected();
  for (const name of names) send(callOf(name), frame);
  await settled();
  expect(reached).toEqual([]);
});

test('no procedure can be called from another window, or after ours is disconnected', async () => {
  const { electron, reached, send, disconnect } = await connected();
  new electron.parts.BrowserWindow({ show: false });
  const [, other] = electron.windows;
  if (!other) throw new Error('there is one window only');
  other.contents.commit('app://waxwing/', 'app://waxwing');
  for (const name of names) send(callOf(name), other.contents.frame, other.contents);
  disconnect();
  for (const name of names) send(callOf(name));
  await settled();
  expect(reached).toEqual([]);
});

test.each([
  [undefined],
  [null],
  [42],
  ['call'],
  [[]],
  [{}],
  [{ t: 'q', i: '1', m: 'constructor', a: [] }],
  [{ t: 'q', i: '1', m: '__proto__', a: ['app.state', {}] }],
  [{ t: 'q', i: '1', m: { toString: 'call' }, a: ['app.state', {}] }],
  [{ t: 'q', i: '1', m: 'call', a: 'app.state' }],
  [{ t: 'q', i: '1', m: 'call', a: [{}, {}] }],
  [{ t: 's', i: '1', r: 'an answer that nobody asked for' }],
])('%j is no call, and harms nothing', async (message) => {
  const { reached, send } = await connected();
  expect(() => send(message)).not.toThrow();
  await settled();
  expect(reached).toEqual([]);
});
