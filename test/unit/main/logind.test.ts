import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { followSessionLock } from '../../../src/main/bus/logind.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import {
  BusProgram,
  booleanVariant,
  hasBus,
  NOTHING,
  startBus,
  textBody,
} from '../../support/message-bus.ts';

const LOGIND = 'org.freedesktop.login1';
const SESSION = `${LOGIND}.Session`;
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const OURS = '/org/freedesktop/login1/session/_32';
const ANOTHER = '/org/freedesktop/login1/session/_33';

/** A program in logind's place that knows the person's session, whose screen is not locked. */
async function startLogind(address: string): Promise<BusProgram> {
  const logind = await BusProgram.start(address, LOGIND);
  logind.answers.GetSession = textBody('o', OURS);
  logind.answers.Get = booleanVariant(false);
  return logind;
}

/** Follows the session on the bus at an address. Resolves after the first query of its state. */
async function follow(address: string, logind: BusProgram) {
  const received: string[] = [];
  const stop = followSessionLock(
    { DBUS_SYSTEM_BUS_ADDRESS: address, XDG_SESSION_ID: '2' },
    { locked: () => received.push('locked'), unlocked: () => received.push('unlocked') },
  );
  await eventually(
    async () => logind.requests,
    (called) => called.includes('Get'),
  );
  const becomes = (...expected: string[]) =>
    eventually(
      async () => received.join(),
      (all) => all === expected.join(),
    );
  return { received, becomes, [Symbol.dispose]: stop };
}

/** A property of the session changes: by default the screen's lock. */
function change(logind: BusProgram, isLocked: boolean): void {
  logind.answers.Get = booleanVariant(isLocked);
  logind.signal(OURS, PROPERTIES, 'PropertiesChanged', textBody('s', SESSION));
}

describe.runIf(hasBus)('on a message bus with logind', () => {
  test('follows logind’s signal to lock, and the desktop’s locking and unlocking', async () => {
    using folder = temporaryFolder();
    await using bus = await startBus(`unix:path=${join(folder.path, 'bus')}`);
    const logind = await startLogind(bus.address);
    using screen = await follow(bus.address, logind);
    logind.signal(OURS, SESSION, 'Lock');
    await screen.becomes('locked');
    change(logind, true);
    await screen.becomes('locked', 'locked');
    change(logind, false);
    await screen.becomes('locked', 'locked', 'unlocked');
    logind.close();
  });

  test('ignores another session, and a program other than logind', async () => {
    using folder = temporaryFolder();
    await using bus = await startBus(`unix:path=${join(folder.path, 'bus')}`);
    const logind = await startLogind(bus.address);
    using screen = await follow(bus.address, logind);
    logind.signal(ANOTHER, SESSION, 'Lock');
    const other = await BusProgram.start(bus.address, null);
    other.signal(OURS, SESSION, 'Lock', NOTHING, logind.lastCaller);
    other.signal(OURS, SESSION, 'Lock');
    // The bus answers in the order of the calls: by now it has delivered the signals of the others.
    const after = await BusProgram.start(bus.address, 'org.example.After');
    change(logind, true);
    await screen.becomes('locked');
    after.close();
    other.close();
    logind.close();
  });

  test('follows a restarted logind', async () => {
    using folder = temporaryFolder();
    await using bus = await startBus(`unix:path=${join(folder.path, 'bus')}`);
    const first = await startLogind(bus.address);
    using screen = await follow(bus.address, first);
    first.close();
    const second = await startLogind(bus.address);
    second.signal(OURS, SESSION, 'Lock');
    await screen.becomes('locked');
    second.close();
  });

  test.each([
    ['a path that is none of its sessions', textBody('o', '/org/freedesktop/login1/session/_3_2/x')],
    ['a path that would end the rule', textBody('s', `${OURS}',sender='org.example.Other`)],
    ['nothing', NOTHING],
  ])('where logind answers with %s, it is not listened to', async (_what, answer) => {
    using folder = temporaryFolder();
    await using bus = await startBus(`unix:path=${join(folder.path, 'bus')}`);
    const logind = await startLogind(bus.address);
    logind.answers.GetSession = answer;
    let called = false;
    const stop = followSessionLock(
      { DBUS_SYSTEM_BUS_ADDRESS: bus.address },
      { locked: () => (called = true), unlocked: () => (called = true) },
    );
    await eventually(
      async () => logind.requests,
      (members) => members.includes('GetSession'),
    );
    change(logind, true);
    // It decides as soon as it has asked for the owner.
    const after = await BusProgram.start(bus.address, 'org.example.After');
    expect([called, logind.requests.includes('Get')]).toEqual([false, false]);
    stop();
    after.close();
    logind.close();
  });
});
