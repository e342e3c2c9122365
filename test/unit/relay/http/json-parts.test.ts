import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkJson } from '../../../../src/relay/http/json-limits.ts';
import { parseInParts } from '../../../../src/relay/http/json-parts.ts';

/** Walks and parses a text in parts. @returns its value, or the message of the error, and the number of parsed texts */
async function inParts(text: string, sliceBytes: number) {
  const body = Buffer.from(text);
  const walk = walkJson(body, Infinity, sliceBytes);
  let slices = 1;
  let step = walk.next();
  for (; !step.done; step = walk.next()) slices++;
  let parsed = 0;
  const parse = (part: string): unknown => {
    parsed++;
    return JSON.parse(part);
  };
  const value = await parseInParts(body, step.value, parse, async () => undefined).catch(
    (error: Error) => error.message,
  );
  return { value, parsed, slices };
}

const wholeOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return (error as Error).message;
  }
};

test('a long list is walked in slices and parsed in parts, with the value of the whole', async () => {
  const list = Array.from({ length: 100 }, (_, at) => ({
    at,
    text: ',]}"\\'.repeat(at % 7),
    more: [at, [at]],
  }));
  const text = JSON.stringify({ before: [1, 2], list, after: { list: [3] } });
  const { value, parsed, slices } = await inParts(text, 200);
  expect(value).toEqual(JSON.parse(text));
  expect(parsed).toBeGreaterThan(10);
  expect(slices).toBeGreaterThan(10);
});

test.each(['[1,2,3,4,5,6]', '{"a":"1,2,3,4,5"}', '{"a":{"b":[1,2,3,4,5]}}', '12345678'])(
  'a body without a long list in its object is parsed at once: %s',
  async (text) => {
    expect(await inParts(text, 2)).toMatchObject({ value: JSON.parse(text), parsed: 1 });
  },
);

test('parts give the value or the refusal of the whole, for any text', async () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"a"',
    '"b"',
    '1',
    ' ',
    '[1,2,3]',
    '{"a":[',
    '"\\u0061"',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 14 }),
      fc.integer({ min: 1, max: 4 }),
      async (pieces, slice) => {
        const text = pieces.join('');
        let result: Awaited<ReturnType<typeof inParts>>;
        try {
          result = await inParts(text, slice);
        } catch {
          return; // refused by the walk
        }
        const whole = wholeOf(text);
        if (typeof whole !== 'string') expect(result.value).toEqual(whole);
        else expect(result.value).toBeTypeOf('string');
      },
    ),
    { numRuns: 20_000 },
  );
});

test('parts give the value of any JSON object with lists', async () => {
  const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.array(fc.jsonValue({ maxDepth: 3 })), {
    maxKeys: 5,
  });
  await fc.assert(
    fc.asyncProperty(value, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (any, slice, isSpaced) => {
      const text = JSON.stringify(any, null, isSpaced ? 1 : 0);
      expect((await inParts(text, slice)).value).toEqual(JSON.parse(text));
    }),
  );
});
