import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { procedures } from '../../../src/bridge/contract.ts';
import { events } from '../../../src/bridge/events.ts';
import { BRIDGE_CHANNEL } from '../../../src/bridge/ipc.ts';
import { makePageBridge } from '../../../src/bridge/page-bridge.ts';
import { connected, settled } from '../../support/connected-window.ts';
import { preload } from '../../support/preload.ts';

const names = Object.keys(procedures).sort();

/** Calls that a page can make with an unknown function. */
type Unknown = Record<string, (...args: unknown[]) => unknown>;

test('C6: the page has one function for each procedure of the contract, and each calls this one', async () => {
  const { electron, reached } = await connected();
  const { calls } = await preload(electron);
  expect(Object.keys(calls).sort()).toEqual(names);
  for (const name of names) {
    const answer = await (calls as unknown as Unknown)[name]?.({ of: name }, 'more', 'arguments');
    expect(answer).toEqual({ ok: true, value: null });
    expect(reached.pop()).toEqual([name, { of: name }]);
  }
  for (const { input, output } of Object.values(procedures)) {
    expect([input.type, output.type]).not.toContain('any');
  }
});

test('C6: the page has nothing else, and can change none of it', async () => {
  const { electron } = await connected();
  const bridge = await preload(electron);
  expect(Object.keys(bridge).sort()).toEqual(['calls', 'on']);
  expect(Object.values(bridge.calls).every((each) => typeof each === 'function')).toBe(true);
  // Not only because the context bridge freezes: the page of a browser has no context bridge.
  const made = makePageBridge(async () => ({ ok: true, value: null })).bridge;
  for (const { calls, on } of [bridge, made]) {
    const other = async () => ({ ok: true, value: null });
    expect(() => Object.assign(calls, { 'app.state': other })).toThrow(TypeError);
    expect(() => Object.assign(calls, { anything: other })).toThrow(TypeError);
    expect(() => Object.setPrototypeOf(calls, { anything: other })).toThrow(TypeError);
    expect(() => (on as (event: string, listener: unknown) => void)('message', other)).toThrow(
      'no such event',
    );
  }
  expect(() => Object.assign(made, { on: null })).toThrow(TypeError);
});

test.each(['', 'call', 'app.state ', 'App.State', 'send', 'invoke', '$call', '$functions', '__proto__'])(
  'C6: the page cannot access "%s"',
  async (name) => {
    const { electron, reached } = await connected();
    const { calls } = await preload(electron);
    expect(typeof (calls as unknown as Unknown)[name]).not.toBe('function');
    await settled();
    expect(reached).toEqual([]);
  },
);

test('C6: the page receives the events of the contract, without Electron’s own object', async () => {
  const { electron, calls } = await connected();
  const bridge = await preload(electron);
  const received: unknown[][] = [];
  const stops = (Object.keys(events) as (keyof typeof events)[]).map((name) =>
    bridge.on(name, (...args: unknown[]) => received.push([name, ...args])),
  );
  for (const name of Object.keys(events) as (keyof typeof events)[]) calls.emit(name, { of: name });
  await settled();
  await settled();
  expect(received).toEqual(Object.keys(events).map((name) => [name, { of: name }]));
  for (const stop of stops) stop();
  calls.emit('app.changed', {});
  electron.window.contents.send(BRIDGE_CHANNEL, { t: 'q', m: 'event', a: ['no such event', {}] });
  await settled();
  await settled();
  expect(received).toHaveLength(stops.length);
});

/** Packages of the page's texts. */
const WORDS = [
  '@formatjs/icu-messageformat-parser',
  '@formatjs/icu-messageformat-parser/printer.js',
  'intl-messageformat',
  'pseudo-localization',
];

test.each([
  ['preload/index.ts', []],
  ['browser-host/page/index.ts', WORDS],
])('C6: src/%s imports no schemas into a page', (entry, words) => {
  const from = new URL(`../../../src/${entry}`, import.meta.url);
  const packages = new Set<string>();
  const seen = new Set<string>();
  const walk = (file: URL): void => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const text = readFileSync(file, 'utf8');
    for (const [, clause = '', name = ''] of text.matchAll(
      /^(?:import|export) ([^;]*?)from '([^']+)';$/gms,
    )) {
      if (clause.startsWith('type ')) continue;
      if (name.startsWith('.')) walk(new URL(name, file));
      else packages.add(name);
    }
  };
  walk(from);
  expect(seen.size).toBeGreaterThan(2);
  expect([...packages].filter((name) => name !== 'electron').sort()).toEqual(['birpc', ...words].sort());
});
