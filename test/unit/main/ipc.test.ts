import { expect, test } from 'vitest';
import { procedures } from '../../../src/bridge/contract.ts';
import { BRIDGE_CHANNEL } from '../../../src/bridge/ipc.ts';
import { connected, settled } from '../../support/connected-window.ts';
import { FrameDouble } from '../../support/electron/web-contents.ts';

const callOf = (name: string) => ({ t: 'q', i: '1', m: 'call', a: [name, {}] });
const names = Object.keys(procedures);

test('C6: our page can call every procedure', async () => {
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
])('C6, V4: no procedure can be called from %s', async (_what, frame) => {
  const { reached, send } = await connected();
  for (const name of names) send(callOf(name), frame);
  await settled();
  expect(reached).toEqual([]);
});

test('C6, V4: no procedure can be called from our own window when it shows another page', async () => {
  const { electron, reached, send } = await connected();
  electron.window.contents.commit('https://evil.example/', 'https://evil.example');
  for (const name of names) send(callOf(name));
  await settled();
  expect(reached).toEqual([]);
});

test('sends events without an answer until the window is disconnected', async () => {
  const { electron, calls, disconnect } = await connected();
  const emitted: unknown[] = [];
  electron.window.contents.page.on(BRIDGE_CHANNEL, (_event, message) => emitted.push(message));
  calls.emit('link.waiting', {});
  await settled();
  expect(emitted).toEqual([{ t: 'q', m: 'event', a: ['link.waiting', {}] }]);
  disconnect();
  calls.emit('link.waiting', {});
  await settled();
  expect(emitted).toHaveLength(1);
});

test('C6, V4: no procedure can be called from another window, or after ours is disconnected', async () => {
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
])('C6: %j is no call, and harms nothing', async (message) => {
  const { reached, send } = await connected();
  expect(() => send(message)).not.toThrow();
  await settled();
  expect(reached).toEqual([]);
});

test('drops the prepared files of a page that is reloaded, but for those that it has sent', async () => {
  const { electron, calls, reached, send } = await connected();
  let begun = 0;
  const { call } = calls;
  calls.call = async (name, input) => {
    await call(name, input);
    return { ok: true, value: name === 'files.begin' ? { id: String(++begun), path: '/files/a' } : {} };
  };
  const about = { conversationId: '1', size: 1 };
  const file = { name: 'a', mediaType: '' };
  const sent = { conversationId: '1', files: [{ id: '2', ...file }], text: '' };
  for (const [name, input] of [
    ['files.begin', about],
    ['files.begin', about],
    ['files.begin', about],
    ['files.drop', { ids: ['3'] }],
    ['messages.sendFiles', sent],
  ])
    send({ t: 'q', i: '1', m: 'call', a: [name, input] });
  await settled();
  reached.length = 0;
  electron.window.contents.commit('app://waxwing/', 'app://waxwing');
  await settled();
  expect(reached).toEqual([['files.drop', { ids: ['1'] }]]);
  electron.window.contents.commit('app://waxwing/', 'app://waxwing');
  await settled();
  expect(reached).toHaveLength(1);
});
