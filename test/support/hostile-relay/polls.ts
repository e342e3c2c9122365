/**
 * Polls of an app at a relay. Waking an app cuts off its running poll: on a busy machine an app that is woken again and
 * again would never finish one. So a test wakes it only while the relay keeps its poll open, which a woken app does not
 * request.
 */
import { callEngine, type TestEngine } from '../engine.ts';
import type { HostileRelay } from './proxy.ts';

/** An app and the id of its device. */
export interface Polling {
  engine: TestEngine;
  deviceId: string;
}

const isPollOf =
  (deviceId: string) =>
  ({ path }: { path: string }) =>
    path.includes(`/inbox?device=${deviceId}`);
const isHeld = (path: string) => /[?&]wait=[1-9]/.test(path);

/** Wakes an app, except while it has a poll that returns at once. */
export async function answerHeldPolls(hostile: HostileRelay, { engine, deviceId }: Polling): Promise<void> {
  const last = hostile.requests.findLast(isPollOf(deviceId));
  if (!last || isHeld(last.path)) await callEngine(engine, 'connection.retry', {});
}

/**
 * Wakes an app, and waits until it has read its queue to the end. An earlier poll does not count: the requests after
 * its end depend on the time of its start.
 */
export async function readToEnd(hostile: HostileRelay, { engine, deviceId }: Polling): Promise<void> {
  let hasAsked = false;
  let next = hostile.nextRequest(isPollOf(deviceId));
  await callEngine(engine, 'connection.retry', {});
  for (;;) {
    const { path } = await next;
    // The app opens a long poll only after a poll that succeeded.
    if (hasAsked && isHeld(path)) return;
    next = hostile.nextRequest(isPollOf(deviceId));
    if (isHeld(path)) await callEngine(engine, 'connection.retry', {});
    else hasAsked = true;
  }
}
