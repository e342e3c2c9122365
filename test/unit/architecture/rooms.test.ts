import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { circles, importsIn } from './imports.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const imports = importsIn(`${root}src`);
const allowed: Record<string, string[]> = JSON.parse(readFileSync(`${root}rooms.json`, 'utf8'));
const rooms = Object.keys(allowed);
/** The longest name first: a part of a room may have its own rule. */
const byLength = rooms.toSorted((a, b) => b.length - a.length);

const isFile = (name: string) => /\.(?:tsx?|css)$/.test(name);

/** The room of a file; a package unchanged. */
function roomOf(name: string): string {
  if (!isFile(name)) return name;
  return byLength.find((room) => name === room || name.startsWith(`${room}/`)) ?? dirname(name);
}

const wholeRoomOf = (name: string) => (isFile(name) ? (name.split('/')[0] ?? name) : name);

/** A rule names whole rooms, or one file of a room. */
const inRule = (room: string, name: string) => (allowed[room]?.includes(name) ? name : wholeRoomOf(name));

test.each(rooms)('%s imports exactly the rooms in rooms.json', (room) => {
  const own = wholeRoomOf(`${room}/x.ts`);
  const used = imports
    .filter(({ from }) => roomOf(from) === room)
    .map(({ to }) => (roomOf(to) === room ? null : inRule(room, to)))
    .filter((to) => to !== null && (to !== own || room !== own));
  expect([...new Set(used)].sort()).toEqual(allowed[room]?.toSorted());
});

test('every file is in a room', () => {
  expect(imports.map(({ from }) => roomOf(from)).filter((room) => !rooms.includes(room))).toEqual([]);
});

test('a room imports only earlier rooms of rooms.json', () => {
  const whole = rooms.filter((room) => !room.includes('/'));
  const wrong = whole.flatMap((room, index) =>
    (allowed[room] ?? []).filter((name) => whole.indexOf(name) > index).map((name) => `${room} -> ${name}`),
  );
  expect(wrong).toEqual([]);
});

/** Folders with code for pages, where Node is not available. */
const inPages = ['bridge', 'preload', 'browser-host/page', 'renderer'];

const atRunTime = Map.groupBy(
  imports.filter(({ isType }) => !isType),
  ({ from }) => from,
);

/** All modules that a file imports at run time, directly or indirectly. */
function reach(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { to } of atRunTime.get(name) ?? []) reach(to, seen);
  return seen;
}

test('code of pages imports no Node modules, even indirectly', () => {
  const inPage = [...atRunTime.keys()].filter((file) => inPages.includes(roomOf(file)));
  expect(inPage.filter((file) => reach(file).has('node'))).toEqual([]);
});

test('the core of messages uses Node only through the protocol’s cryptography', () => {
  const core = [...atRunTime.keys()].filter((file) => roomOf(file) === 'messaging');
  const reached = new Set(core.flatMap((file) => [...reach(file)]));
  const withNode = [...reached].filter((file) => atRunTime.get(file)?.some(({ to }) => to === 'node'));
  const ofCryptography = ['crypto', 'curves/node', 'curves/sodium', 'ml-kem/native'];
  expect(withNode.toSorted()).toEqual(ofCryptography.map((name) => `protocol/${name}.ts`));
});

// A thread starts with its imports: each of these libraries needs longer to load than the rest together.
test.each(['relay/store/sqlite/worker.ts', 'engine/sealing/worker.ts'])(
  'the thread of %s starts without schemas, wallets and checksums',
  (file) => {
    const heavy = ['zod', 'micro-eth-signer', '@scure/bip32', '@scure/bip39', 'fastify'];
    expect(heavy.filter((library) => reach(file).has(library))).toEqual([]);
  },
);

test.each(['src', 'dev'])('files in %s have no import cycle, not even of types', (folder) => {
  const arrows = importsIn(root + folder).map(({ from, to }) => [from, to] as const);
  expect(circles(arrows)).toEqual([]);
});

test('a running relay loads neither the code that makes its page nor the code that seals and opens', () => {
  const loaded = reach('relay/index.ts');
  expect(loaded).toContain('relay/docs/page-files.ts');
  const sealing = ['payload', 'envelope', 'hpke', 'x-wing', 'ml-kem/chosen'];
  const files = sealing.map((name) => `protocol/${name}.ts`);
  const ofPage = reach('relay-docs/index.ts');
  expect(files.filter((file) => !ofPage.has(file))).toEqual([]);
  expect(files.filter((file) => loaded.has(file))).toEqual([]);
  expect(rooms.filter((room) => allowed[room]?.includes('relay-docs'))).toEqual([]);
});

/** A folder in a room as a whole; each file beside such folders separately. */
function partOf(file: string): string {
  const [room, part] = file.split('/');
  return `${room}/${part}`;
}

test('folders in a room have no import cycle', () => {
  const arrows = imports
    .filter(({ from, to }) => isFile(to) && partOf(from) !== partOf(to))
    .map(({ from, to }) => [partOf(from), partOf(to)] as const);
  expect(circles(arrows)).toEqual([]);
});
