import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describe, describeReported } from '../../../src/base/error-facts.ts';
import { Failure } from '../../../src/base/failure.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const MARKER = 'MARKERsecret';

function errorWith(stack: string, message = 'told'): Error {
  return Object.assign(new Error(message), { stack });
}

test('writes no message, foreign code or path of the person’s files', () => {
  const error = Object.assign(
    errorWith(
      `Error: told\n    at send (${root}src/engine/sending/outbox.ts:12:3)\n    at Socket.<anonymous> (/home/${MARKER}/elsewhere.js:1:1)`,
    ),
    { code: `${MARKER} sent it` },
  );
  expect(describe(error)).toEqual({
    code: 'Error',
    stack: ['at send (src/engine/sending/outbox.ts:12:3)', 'at Socket.<anonymous> (…:1:1)'],
  });
});

test.each([
  ['one line', `cannot send ${MARKER}`],
  ['lines that look like frames', `no\n    at ${MARKER} (${root}src/${MARKER}.ts:1:1)\n    at ${MARKER}:1:1`],
  ['nothing but such a line', `    at ${MARKER} (${root}src/x.ts:1:1)`],
])('a message of %s is left out of the stack', (_, message) => {
  const { code, stack = [] } = describe(new TypeError(message));
  expect(code).toBe('TypeError');
  expect(stack.length).toBeGreaterThan(0);
  expect(stack.join('\n')).not.toContain(MARKER);
});

test('leaves out a message changed since', () => {
  const error = new Error(`before ${MARKER}`);
  error.message = 'after';
  const { stack = [] } = describe(error);
  expect(stack[0]).toContain('test/unit/base/error-facts.test.ts');
  expect(stack.join('\n')).not.toContain(MARKER);
});

test.each([
  [`at send (/home/src/${MARKER}/app.mjs:1:2)`, 'at send (…:1:2)'],
  [`at /home/${MARKER}/out/x.js:1:2`, 'at …:1:2'],
  [
    `at async file:///home/${MARKER}/x%20y/node_modules/zod/v4/core.js:3:4`,
    'at async node_modules/zod/v4/core.js:3:4',
  ],
  [
    `at Object.run (C:\\Users\\${MARKER}\\node_modules\\pino\\pino.js:3:4)`,
    'at Object.run (node_modules/pino/pino.js:3:4)',
  ],
  ['at async Promise.all (index 0)', 'at async Promise.all (index 0)'],
  ['at Array.map (<anonymous>)', 'at Array.map (<anonymous>)'],
  [
    'at process.processTicksAndRejections (node:internal/process/task_queues:103:5)',
    'at process.processTicksAndRejections (node:internal/process/task_queues:103:5)',
  ],
  [
    'at new Engine (app://waxwing/assets/index-Ab12_c.js:1:99)',
    'at new Engine (assets/index-Ab12_c.js:1:99)',
  ],
  [`at run (http://127.0.0.1:8080/${MARKER}?x:1:9)`, 'at run (…:1:9)'],
])('of the frame %s is written %s', (frame, written) => {
  expect(describe(errorWith(`Error: told\n    ${frame}`)).stack).toEqual([written]);
});

test('writes failures and system errors by their codes', () => {
  expect(describe(new Failure('folder_busy', { path: `/home/${MARKER}` })).code).toBe('folder_busy');
  expect(describe(Object.assign(new Error(MARKER), { code: 'SQLITE_FULL' })).code).toBe('SQLITE_FULL');
  expect(describe(MARKER)).toEqual({ code: 'string' });
});

test('applies the same rules to errors of the page', () => {
  const stack = `RangeError: ${MARKER}\n    at draw (app://waxwing/assets/index.js:1:2)`;
  const written = { code: 'RangeError', stack: ['at draw (assets/index.js:1:2)'] };
  expect(describeReported({ name: 'RangeError', message: MARKER, stack })).toEqual(written);
  expect(describeReported({ name: `${MARKER} !`, message: '', stack: MARKER })).toEqual({
    code: 'Error',
    stack: [],
  });
});
