/**
 * Open polls, each on its own queue, and the time from the start of a send to the answer of the poll that waits for
 * it.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPerson, type Person, TestDevice } from '../../test/support/person.ts';
import type { TestRelay } from '../../test/support/relay.ts';

/** The most that an address may have. */
const DEVICES = 16;
/** Between two sends, in milliseconds. */
const PACE = 5;
const HOLD_SECONDS = 30;

interface OpenPoll {
  owner: Person;
  device: TestDevice;
  socket: Socket;
}

function openPoll(port: number, owner: Person, device: TestDevice): OpenPoll {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const path = `/api/v1/inbox?device=${device.id}&wait=${HOLD_SECONDS}`;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`,
  );
  return { owner, device, socket };
}

/** @returns milliseconds from the first byte of the send to the 201, and to the answer of the poll */
async function wakeUp(
  sending: Socket,
  sender: Person,
  polls: OpenPoll,
): Promise<{ sent: number; woken: number }> {
  const body = JSON.stringify(sender.seal(polls.owner, polls.device, 'wake up'));
  const head = [
    'POST /api/v1/envelopes HTTP/1.1',
    `Host: 127.0.0.1:${sending.remotePort}`,
    `Authorization: Bearer ${sender.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const answered = (socket: Socket) =>
    once(socket, 'data').then(([data]) => {
      if (!String(data).startsWith('HTTP/1.1 20')) throw new Error(String(data));
      return performance.now();
    });
  const begin = performance.now();
  const both = [answered(sending), answered(polls.socket)] as const;
  sending.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const [sent, woken] = await Promise.all(both);
  return { sent: sent - begin, woken: woken - begin };
}

/** So many devices, of as few people as may be. */
export async function newCrowd(relay: TestRelay, count: number): Promise<[Person, TestDevice][]> {
  const crowd: [Person, TestDevice][] = [];
  while (crowd.length < count) {
    const person = await newPerson(relay);
    const devices = [person.device, ...Array.from({ length: DEVICES - 1 }, () => new TestDevice())];
    await person.publishDevices(devices);
    crowd.push(...devices.map((device): [Person, TestDevice] => [person, device]));
  }
  return crowd.slice(0, count);
}

/** Holds a poll for each of a crowd. */
export async function openPolls(port: number, crowd: [Person, TestDevice][]): Promise<OpenPoll[]> {
  const polls: OpenPoll[] = [];
  for (const [person, device] of crowd) {
    const one = openPoll(port, person, device);
    polls.push(one);
    // A connection at a time is accepted sooner than a crowd that waits in line.
    if (polls.length % 100 === 0) await once(one.socket, 'connect');
  }
  return polls;
}

/**
 * Wakes some of them, one after another, spread over all.
 * @param sending a connection to the relay that is sent to
 */
export async function wakeUps(
  sending: Socket,
  sender: Person,
  polls: OpenPoll[],
  count: number,
): Promise<{ sent: number; woken: number }[]> {
  const times = [];
  const step = Math.floor(polls.length / count);
  for (let index = 0; index < count; index++) {
    const target = polls[index * step];
    if (target) times.push(await wakeUp(sending, sender, target));
    await sleep(PACE);
  }
  return times;
}
