import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { FailureCode } from '../../../src/base/failure.ts';
import { type Input, type ProcedureName, procedures } from '../../../src/bridge/contract.ts';
import type { Answer } from '../../../src/bridge/failure.ts';
import { messagesIn, TestHost } from '../../support/browser-host.ts';

const PASSPHRASE = 'a passphrase for a test';

let host: TestHost;
beforeEach(async () => {
  host = await new TestHost().start();
  await host.session.turnOn(PASSPHRASE);
});
afterEach(() => host[Symbol.asyncDispose]());

/** A page that makes its own calls, without the interface. */
class Page {
  readonly events: string[] = [];
  readonly socket: WebSocket;
  readonly bearer: string;
  #calls = 0;
  #waiting = new Map<string, (answer: Answer<unknown>) => void>();

  private constructor(socket: WebSocket, bearer: string) {
    this.socket = socket;
    this.bearer = bearer;
    socket.on('message', (frame: Buffer) => {
      type Message = { i?: string; m?: string; a?: string[]; r: Answer<unknown> };
      for (const message of messagesIn<Message>(frame)) {
        if (message.m === 'event') this.events.push(message.a?.[0] ?? '');
        else this.#waiting.get(message.i ?? '')?.(message.r);
      }
    });
  }

  static async open(bearer?: string): Promise<Page> {
    const own = bearer ?? (await host.newBearer());
    const socket = await host.socket();
    const page = new Page(socket, own);
    socket.send(own);
    await once(socket, 'message');
    return page;
  }

  call(name: string, input: unknown = {}): Promise<Answer<unknown>> {
    const { promise, resolve } = Promise.withResolvers<Answer<unknown>>();
    const id = `${++this.#calls}`;
    this.#waiting.set(id, resolve);
    this.socket.send(JSON.stringify({ t: 'q', m: 'call', a: [name, input], i: id }));
    return promise;
  }
}

const locked = { ok: false, failure: { code: 'locked' } };

async function closeCode({ socket }: Page): Promise<number> {
  const [code] = (await once(socket, 'close')) as [number];
  return code;
}

test('C16: while locked every page may look at the lock and change nothing', async () => {
  const page = await Page.open();
  await page.call('lock.now');
  expect(await page.call('lock.state')).toMatchObject({ ok: true, value: { phase: 'locked' } });
  expect(await page.call('host.info')).toMatchObject({ ok: true });
  expect(await page.call('app.state')).toMatchObject(locked);
  expect(await page.call('settings.set', { autoLockMinutes: null })).toMatchObject(locked);
  expect(await page.call('lock.turnOff', { passphrase: PASSPHRASE })).toMatchObject(locked);
});

test('B6: linking a computer needs the passphrase, also when none is set', async () => {
  const page = await Page.open();
  const link = (passphrase: string | null) =>
    page.call('devices.link', { code: 'a code', withHistory: true, passphrase });
  expect(await link(null)).toMatchObject({ ok: false, failure: { code: 'passphrase_wrong' } });
  // The passphrase is accepted, and the call fails later: this host has no account.
  expect(await link(PASSPHRASE)).toMatchObject({ ok: false, failure: { code: 'not_set_up' } });
  await host.session.turnOff(PASSPHRASE);
  expect(await link(null)).toMatchObject({ ok: false, failure: { code: 'link_needs_lock' } });
});

test('the page that unlocks continues; every other page ends and receives nothing more', async () => {
  const [one, other] = [await Page.open(), await Page.open()];
  await one.call('lock.now');
  const ended = closeCode(one);
  expect(await other.call('lock.unlock', { passphrase: PASSPHRASE })).toMatchObject({ ok: true });
  expect(await ended).toBe(4401);
  expect(await other.call('app.state')).toMatchObject({ ok: true });
  const events = one.events.length;
  await other.call('settings.set', { theme: 'dark' });
  expect(one.events).toHaveLength(events);
  // Its bearer expired with it.
  const again = await host.socket();
  const closed = once(again, 'close');
  again.send(one.bearer);
  expect((await closed)[0]).toBe(4401);
});

test('a page that did not unlock receives nothing before it ends', async () => {
  const [one, other] = [await Page.open(), await Page.open()];
  await one.call('lock.now');
  // Unlocked without the pages: none of them has sent the passphrase.
  await host.session.unlock(PASSPHRASE);
  for (const name of ['app.state', 'conversations.list', 'settings.set', 'lock.now', 'lock.turnOff']) {
    expect(await other.call(name), name).toMatchObject({ failure: { code: 'unlocked_elsewhere' } });
  }
  for (const name of ['lock.retry', 'lock.unlock', 'lock.choose', 'lock.recover']) {
    const input = { 'lock.retry': {}, 'lock.recover': { secret: 'x', passphrase: null } }[name];
    const answer = await other.call(name, input ?? { passphrase: PASSPHRASE });
    const code = name === 'lock.retry' ? 'open_already' : 'not_asked_now';
    expect(answer, name).toMatchObject({ ok: false, failure: { code } });
  }
  expect(await other.call('app.state')).toMatchObject({ failure: { code: 'unlocked_elsewhere' } });
});

test('a page that opens while locked has to unlock too', async () => {
  await host.session.lock();
  const page = await Page.open();
  expect(await page.call('app.state')).toMatchObject(locked);
  expect(await page.call('lock.unlock', { passphrase: 'not this one' })).toMatchObject({
    ok: false,
    failure: { code: 'passphrase_wrong' },
  });
  expect(await page.call('lock.unlock', { passphrase: PASSPHRASE })).toMatchObject({ ok: true });
  expect(await page.call('app.state')).toMatchObject({ ok: true });
});

/** Procedures of the desktop only: a browser page is visible to extensions. */
const DESKTOP_ONLY = {
  'lock.revealSecret': [{ passphrase: PASSPHRASE }, 'recovery_in_desktop_only'],
  'clipboard.copy': [{ text: 'x', isSecret: true }, 'copied_by_page'],
  'host.restart': [{}, 'restarted_by_hand'],
} satisfies { [P in ProcedureName]?: [Input<P>, FailureCode] };

test('B6: a page of a browser gets no key, no clipboard and no update', async () => {
  const page = await Page.open();
  for (const [name, [input, code]] of Object.entries(DESKTOP_ONLY)) {
    expect(await page.call(name, input), name).toMatchObject({ ok: false, failure: { code } });
  }
  expect(await page.call('lock.revealSecret', { passphrase: null })).toMatchObject({
    ok: false,
    failure: { code: 'recovery_in_desktop_only' },
  });
  for (const name of ['updates.state', 'updates.check']) {
    expect(await page.call(name), name).toMatchObject({ ok: true, value: { phase: 'unavailable' } });
  }
  // Every other procedure is the same for both. A new one of these kinds must be added here deliberately.
  const known = [...Object.keys(DESKTOP_ONLY), 'updates.state', 'updates.check'];
  const alike = Object.keys(procedures).filter((name) =>
    /reveal|clipboard|update|export|shell|restart/i.test(name),
  );
  expect(alike.sort()).toEqual(known.sort());
});
