/**
 * Values sent between a page and the main process, as JSON, because Chromium's debugging protocol carries only texts.
 * The result of a structured clone goes through them unchanged.
 */

export interface Wire {
  /** @throws Error for values that structured clone refuses, or that no message of the app has */
  encode(value: unknown): string;
  decode(text: string): unknown;
}

/** Also runs in a page: it uses only its own code. */
export function createWire(): Wire {
  const toTree = (value: unknown): unknown => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'number' || typeof value === 'bigint') return [typeof value, String(value)];
    if (value === undefined) return ['undefined'];
    if (Array.isArray(value)) return ['array', value.map(toTree)];
    if (value instanceof Uint8Array) return ['bytes', Array.from(value)];
    if (value instanceof Date) return ['date', value.getTime()];
    if (value instanceof Error) return ['error', value.message];
    if (Object.prototype.toString.call(value) !== '[object Object]') {
      throw new Error('the test carries no value of this kind');
    }
    return ['object', Object.entries(value).map(([name, each]) => [name, toTree(each)])];
  };
  const fromTree = (tree: unknown): unknown => {
    if (!Array.isArray(tree)) return tree;
    const [kind, content] = tree;
    if (kind === 'number') return Number(content);
    if (kind === 'bigint') return BigInt(content);
    if (kind === 'array') return content.map(fromTree);
    if (kind === 'bytes') return new Uint8Array(content);
    if (kind === 'date') return new Date(content);
    if (kind === 'error') return new Error(content);
    if (kind === 'undefined') return undefined;
    return Object.fromEntries(content.map(([name, each]: [string, unknown]) => [name, fromTree(each)]));
  };
  return {
    encode: (value) => JSON.stringify(toTree(structuredClone(value))),
    decode: (text) => fromTree(JSON.parse(text)),
  };
}
