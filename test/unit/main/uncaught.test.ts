import { EventEmitter } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { logTo } from '../../../src/base/log.ts';
import type { LogRecord } from '../../../src/base/log-record.ts';
import { followUncaught } from '../../../src/main/uncaught.ts';
import { ElectronDouble } from '../../support/electron/index.ts';

afterEach(() => logTo(null));

function followed({ isReady = true } = {}) {
  const electron = new ElectronDouble();
  if (isReady) electron.app.becomeReady();
  const faults = new EventEmitter();
  const records: LogRecord[] = [];
  logTo((record) => records.push(record));
  followUncaught(faults as unknown as Pick<NodeJS.Process, 'on'>, electron.parts);
  return { electron, faults, records };
}

test('logs and reports an uncaught exception, and quits the app in order', async () => {
  const { electron, faults, records } = followed();
  faults.emit('uncaughtException', new TypeError('secret words'));
  expect(records).toMatchObject([{ level: 'error', event: 'exception.uncaught', code: 'TypeError' }]);
  expect(electron.dialog.errors).toEqual([
    { title: 'Waxwing stopped', content: expect.stringContaining(records[0]?.id ?? 'none') },
  ]);
  expect(await electron.app.exited).toBe(0);
});

test('the box of an exception does not prevent quitting', async () => {
  const { electron, faults } = followed();
  electron.dialog.answer = new Promise(() => undefined);
  faults.emit('uncaughtException', new Error());
  expect(electron.dialog.errors).toHaveLength(1);
  expect(electron.app.exitCode).toBeNull();
  electron.app.quit();
  expect(await electron.app.exited).toBe(0);
});

test('an exception before Electron is ready is reported, and the app quits', async () => {
  const { electron, faults } = followed({ isReady: false });
  faults.emit('uncaughtException', new Error());
  expect(electron.dialog.errors).toHaveLength(1);
  expect(await electron.app.exited).toBe(0);
});

test('a second exception during the end ends the app at once', () => {
  const { electron, faults } = followed();
  electron.app.on('will-quit', (event: Electron.Event) => event.preventDefault());
  faults.emit('uncaughtException', new Error());
  expect(electron.app.exitCode).toBeNull();
  faults.emit('uncaughtException', new Error());
  expect(electron.app.exitCode).toBe(1);
  expect(electron.dialog.errors).toHaveLength(1);
});

test('logs each unhandled rejection, reports the first, and continues', () => {
  const { electron, faults, records } = followed();
  faults.emit('unhandledRejection', new Error());
  faults.emit('unhandledRejection', 'no error at all');
  expect(records.map(({ event }) => event)).toEqual(['rejection.unhandled', 'rejection.unhandled']);
  expect(electron.dialog.errors).toEqual([
    { title: 'Waxwing has a problem', content: expect.stringContaining(records[0]?.id ?? 'none') },
  ]);
  expect(electron.app.exitCode).toBeNull();
});

test.each(['uncaughtException', 'unhandledRejection'])('%s: only logs a closed terminal', (event) => {
  const { electron, faults, records } = followed();
  faults.emit(event, Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(records).toMatchObject([{ code: 'EPIPE' }]);
  expect(electron.dialog.errors).toEqual([]);
  expect(electron.app.exitCode).toBeNull();
});
