/** C6: any data from a page to any procedure gets an answer, and data outside the contract has no effect. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProcedureName, procedures } from '../../../src/bridge/contract.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { type Calls, createCalls } from '../../../src/host/calls.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { runs } from '../../support/runs.ts';
import { testSession } from '../../support/session.ts';

/** Inputs for each procedure. */
const numRuns = runs({ quick: 20, all: 1_000, nightly: 100_000 });

const folder = temporaryFolder();
const session = testSession(folder.path);
const settings = { store: defaultSettings };
let calls: Calls;
beforeAll(async () => {
  await session.start();
  calls = createCalls({ session, settings, info: { kind: 'browser', version: '0', platform: 'linux' } });
});
afterAll(async () => {
  await session.close();
  folder[Symbol.dispose]();
});

const hostile = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSet: true }),
  fc.constantFrom(
    'x'.repeat(100_000),
    JSON.parse('{"__proto__": {"isAdmin": true}}'),
    Number.NaN,
    -0,
    [[]],
    null,
  ),
  fc.record({
    id: fc.anything(),
    conversationId: fc.anything(),
    address: fc.anything(),
    text: fc.anything(),
  }),
);

describe.each(Object.keys(procedures) as ProcedureName[])('C6: %s', (name) => {
  test('answers any call; invalid ones are reported and do nothing', {
    timeout: LONG_TEST_LIMIT,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (input) => {
        // Inputs that are valid by chance are covered by other tests.
        fc.pre(!procedures[name].input.safeParse(input).success);
        // Not an unknown procedure: every name of the contract has a handler.
        const answer = await calls.call(name, input);
        expect(answer).toEqual({ ok: false, failure: { code: 'input_malformed', parameters: {} } });
      }),
      { numRuns },
    );
    expect(settings.store).toEqual(defaultSettings);
    expect(session.isOpen).toBe(true);
    expect('isAdmin' in {}).toBe(false);
  });
});

test('C6: names outside of the contract reach nothing', async () => {
  const names = [
    '',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'app.state ',
    'App.State',
    'close',
  ];
  for (const name of names) {
    expect(await calls.call(name, {})).toEqual({
      ok: false,
      failure: { code: 'input_malformed', parameters: {} },
    });
  }
});
