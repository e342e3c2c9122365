/** One fault in a valid request. */
import type { Choose, Draft } from './recipes.ts';
import type { WireRequest } from './request.ts';

type Tree = Record<string, unknown> | unknown[];

/** Unusual texts. */
const STRANGE_TEXTS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'null',
  '0',
  '-1',
  '\u0000',
  'a\r\nb: c',
  '\u202Egnp.exe',
  'e\u0301',
  '\uD800',
  '\uFEFF',
  '🦊'.repeat(20),
  '..',
  '../../etc/passwd',
  '%2e%2e%2f',
  "' OR 1=1 --",
  '"*"',
  '$(id)',
  'AAAA====',
  'a'.repeat(127),
  'a'.repeat(129),
  'x'.repeat(70_000),
];

const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 53,
  1e308,
  [],
  [null],
  {},
  { constructor: { prototype: {} } },
  { toString: 1 },
];

const STRANGE_KEYS = [
  'extra',
  'constructor',
  'prototype',
  'toString',
  '',
  'text',
  'plaintext',
  'ID',
  'a.b',
  '0',
];

const WRONG_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'x',
  '',
  'text/json',
];

/** A similar, but different value. */
function changeValue(value: unknown, choose: Choose): unknown {
  if (choose(3) === 0) return WRONG_VALUES[choose(WRONG_VALUES.length)];
  if (typeof value === 'string') return changeText(value, choose);
  if (typeof value === 'number') return [value + 1, value - 1, -value, String(value)][choose(4)];
  if (typeof value === 'boolean') return [!value, String(value), Number(value)][choose(3)];
  if (Array.isArray(value)) {
    return [[], value.slice(1), [...value, ...value], [...value, null], new Array(6_000).fill(value[0])][
      choose(5)
    ];
  }
  return { ...(value as object), [STRANGE_KEYS[choose(STRANGE_KEYS.length)] ?? '']: 1 };
}

function changeText(text: string, choose: Choose): string {
  const place = choose(text.length + 1);
  const changes = [
    () => STRANGE_TEXTS[choose(STRANGE_TEXTS.length)] ?? '',
    () => text.slice(0, -1),
    () => `${text}A`,
    () => text.toUpperCase(),
    () => `${text}=`,
    () => ` ${text}`,
    () => text.repeat(2),
    () => text.slice(0, place) + 'é/+'.charAt(choose(3)) + text.slice(place + 1),
    () => text.slice(0, place) + 'Az09'.charAt(choose(4)) + text.slice(place + 1),
  ];
  return changes[choose(changes.length)]?.() ?? '';
}

/** Every object and list in a value, with the value itself. */
function treesOf(value: unknown): Tree[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Tree, ...Object.values(value).flatMap(treesOf)];
}

/** Changes, removes or adds one field, somewhere in the parameters, the query or the body. */
export function mutateField(draft: Draft, choose: Choose): Draft {
  const mutated = structuredClone({ params: draft.params, query: draft.query, body: draft.body });
  const flat = [mutated.params, mutated.query].filter((part) => part !== undefined);
  const trees = [...flat, ...treesOf(mutated.body)];
  const tree = trees[choose(trees.length)];
  if (!tree) return { ...draft, body: WRONG_VALUES[choose(WRONG_VALUES.length)] };
  const keys = Object.keys(tree);
  const key = keys[choose(keys.length)];
  const kind = choose(8);
  const isFlat = flat.includes(tree as Record<string, string>);
  if (kind === 0 || key === undefined) {
    set(tree, STRANGE_KEYS[choose(STRANGE_KEYS.length)] ?? '', isFlat ? '1' : changeValue('text', choose));
  } else if (kind === 1) {
    if (Array.isArray(tree)) tree.splice(Number(key), 1);
    else delete tree[key];
  } else {
    const value = (tree as Record<string, unknown>)[key];
    set(tree, key, isFlat ? changeText(String(value), choose) : changeValue(value, choose));
  }
  return { ...draft, ...mutated } as Draft;
}

/** Sets a field of an object. A list only gets items: JSON has no fields of a list. */
function set(tree: Tree, key: string, value: unknown): void {
  if (Array.isArray(tree) && !/^\d+$/.test(key)) {
    tree.push(value);
    return;
  }
  Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Changes the encoding of a request: its bytes, its headers, its path. */
export function mutateBytes(request: WireRequest, choose: Choose): WireRequest {
  const { headers, path, body } = request;
  const text = body?.toString('utf8') ?? '{}';
  const json = { ...headers, 'content-type': 'application/json' };
  const place = choose(text.length + 1);
  const [before, after] = [text.slice(0, place), text.slice(place)];
  const withBody = (changed: string | Buffer) => ({ ...request, headers: json, body: Buffer.from(changed) });
  const changes: (() => WireRequest)[] = [
    () => withBody(before),
    () => withBody(`${before}${'{"[,: 9x'.charAt(choose(8))}${after}`),
    () => withBody(before + after.slice(1)),
    () => withBody(`\uFEFF${text}`),
    () => withBody(`${text},`),
    () => withBody(`${text}${text}`),
    () => withBody(text.replace('{', '{"__proto__":{"admin":true},')),
    () => withBody(text.replace(/"(\w+)":/, '"$1":1,"$1":')),
    () => withBody(text.replace(/[:[]/, `$&${'['.repeat(40)}`)),
    () => withBody(Buffer.concat([Buffer.from(before), Buffer.from([0xc3, 0x28]), Buffer.from(after)])),
    () => withBody(`${text}${' '.repeat(100_000)}`),
    () => withBody(text.replaceAll('"', "'")),
    () => withBody('null'),
    () => withBody(Buffer.alloc(0)),
    () => withBody(Buffer.from(text, 'utf16le')),
    () => ({
      ...request,
      headers: { ...headers, 'content-type': WRONG_TYPES[choose(WRONG_TYPES.length)] ?? '' },
    }),
    () => ({ ...request, headers: { ...headers, 'content-encoding': 'gzip' } }),
    () => ({ ...request, headers: { ...headers, 'x-forwarded-for': '10.0.0.1, ::1', forwarded: 'for=_x' } }),
    () => ({ ...request, headers: { ...headers, host: 'elsewhere.example' } }),
    () => ({ ...request, headers: { ...headers, authorization: 'Bearer sk_live_' } }),
    () => ({ ...request, headers: { ...headers, authorization: `Bearer ${'A'.repeat(5_000)}` } }),
    () => ({ ...request, path: `${path}/` }),
    () => ({ ...request, path: path.replace(/[^/?]+(?=\?|$)/, '$&%00') }),
    () => ({ ...request, path: path.replace(/[^/?]+(?=\?|$)/, '%zz') }),
    () => ({ ...request, path: path.replace(/[^/?]+(?=\?|$)/, 'a'.repeat(300)) }),
    () => ({ ...request, path: path.replace('/v1/', '/v1//') }),
    () => ({ ...request, path: `${path}${path.includes('?') ? '&' : '?'}limit=5&limit=6` }),
    () => ({ ...request, path: `${path}${path.includes('?') ? '&' : '?'}__proto__=1` }),
    () => ({ ...request, path: `${path}${path.includes('?') ? '&' : '?'}%ff=%c3%28` }),
  ];
  return changes[choose(changes.length)]?.() ?? request;
}
