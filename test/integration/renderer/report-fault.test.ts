/** Uncaught errors of the page in the host's log. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reportUncaught } from '../../../src/renderer/report-fault.ts';

type Report = { name: string; message: string; stack: string };

let page: EventTarget;
let reports: Report[];
beforeEach(() => {
  reports = [];
  page = Object.assign(new EventTarget(), {
    waxwing: {
      calls: {
        'diagnostics.report': async (report: Report) => {
          reports.push(report);
          return { ok: true, value: { id: 'E-7F3K' } };
        },
      },
    },
  });
  vi.stubGlobal('window', page);
  reportUncaught();
});
afterEach(() => vi.unstubAllGlobals());

const happens = (fields: Partial<ErrorEvent>) =>
  page.dispatchEvent(Object.assign(new Event('error'), fields));

test('an error is reported with its class', () => {
  happens({ error: new TypeError('no such thing'), message: 'Uncaught TypeError: no such thing' });
  expect(reports).toMatchObject([{ name: 'TypeError', message: 'no such thing' }]);
});

test('an event without an error is reported with its place', () => {
  const place = { filename: 'app://waxwing/assets/main.js', lineno: 7, colno: 3 };
  happens({ error: null, message: 'Script error.', ...place });
  expect(reports).toEqual([
    {
      name: 'ErrorEvent',
      message: 'Script error.',
      stack: 'Script error.\n    at app://waxwing/assets/main.js:7:3',
    },
  ]);
});

test('the notice of the browser about a size that changed again is not reported, and others are', () => {
  const message = 'ResizeObserver loop completed with undelivered notifications.';
  happens({ error: null, message });
  expect(reports).toEqual([]);
  happens({ error: null, message: `${message} And more`, filename: '', lineno: 0, colno: 0 });
  happens({ error: new Error(message), message });
  expect(reports).toHaveLength(2);
});
