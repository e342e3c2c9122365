/**
 * Honest ends of a conversation on a relay that lies to them: the app, and a program on the library. Both must pass the
 * same tests.
 */

import { join } from 'node:path';
import { expect } from 'vitest';
import { type FailureCode, failedWith, isWithheld, sentenceOf } from '../../../src/base/failure.ts';
import type { GroupDetails } from '../../../src/bridge/shapes/group.ts';
import { Identity, RelayClient } from '../../../src/client/index.ts';
import { newMessageId } from '../../../src/client/sealing.ts';
import { openCache } from '../../../src/engine/cache/database.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { type Callable, callEngine, eventually, setUp, type TestEngine, temporaryFolder } from '../engine.ts';
import { LocalEngine } from '../local-engine.ts';
import type { Target } from './forgery.ts';
import { messagesOf, newGroup, newHonest, write, writeIn } from './people.ts';
import { answerHeldPolls, readToEnd } from './polls.ts';
import type { HostileRelay } from './proxy.ts';

/** The recipient of a message: an address, or a group by its id. */
export type To = string | { group: string };

/** The outcome of a message. */
export interface Written {
  id: string;
  text: string;
  to: To;
  /** 'waiting': for devices that the relay does not show, or for the relay. */
  state: 'sent' | 'waiting' | 'failed';
  problem: string | null;
}

/** A member's view of a group. */
export interface Look {
  members: string[];
}

export interface Party {
  /** Wire form. */
  readonly address: string;
  /** Rejects anything but a text. */
  write(to: To, text: string): Promise<Written>;
  /** Retries unsent messages. */
  retry(written: Written): Promise<void>;
  /** The texts of all accepted messages so far, after a check of the queue. */
  texts(): Promise<string[]>;
  /** The same, after it has read its queue to the end. */
  textsAtEnd(): Promise<string[]>;
  /** Restarts from its stored state, and fetches keys again. */
  restart(): Promise<void>;
  /** Makes a group. @returns its id */
  makeGroup(name: string): Promise<string>;
  joinGroup(id: string): Promise<void>;
  /** Removes a member from a group that it has created. */
  removeFrom(id: string, address: string): Promise<void>;
  /** Requests a group of which it is a member. Rejects if the relay's answer is invalid. */
  look(id: string): Promise<Look>;
  /** The recipients without a copy of a written message, with the reasons. */
  undelivered(written: Written): Promise<{ address: string; code: FailureCode }[]>;
  /** Changes its device list. The app's new list allows unsigned messages of programs. */
  changeList(): Promise<void>;
  /** Sends its own list to others, if due. */
  greet(): Promise<void>;
  /** Makes all kinds of requests to the relay. */
  query(): Promise<unknown>[];
  /** Signs in to a relay for the first time. Rejects if that fails. */
  signUp(relay: string): Promise<void>;
}

/** A person with the app. */
export async function newApp(
  hostile: HostileRelay,
  handle: string,
  engine: TestEngine = new LocalEngine(hostile.url),
): Promise<Party> {
  const person = await newHonest(hostile, handle, engine);
  const { address } = person;
  let deviceId = '';
  const polling = async () => {
    deviceId ||= (await callEngine(engine, 'devices.list', {})).find(({ isThis }) => isThis)?.id ?? '';
    return { engine, deviceId };
  };
  const received = async () =>
    (await messagesOf(person)).filter(({ trust }) => trust !== 'self').map(({ text }) => text);
  return {
    address,
    async write(to, text) {
      const { id, state, problem } =
        typeof to === 'string'
          ? await write(person, { engine, address: to, handle: '' }, text)
          : await writeIn(person, await groupIn(engine, to.group), text);
      const sentence = problem && sentenceOf(problem);
      return {
        id,
        text,
        to,
        state: state === 'sent' || state === 'failed' ? state : 'waiting',
        problem: sentence,
      };
    },
    async retry({ id }) {
      await callEngine(engine, 'messages.retry', { id }).catch(() =>
        callEngine(engine, 'connection.retry', {}),
      );
    },
    async texts() {
      await answerHeldPolls(hostile, await polling());
      return received();
    },
    async textsAtEnd() {
      await readToEnd(hostile, await polling());
      return received();
    },
    async restart() {
      await engine.close();
      const cache = openCache(engine.folder.path, engine.key);
      cache.prepare('UPDATE contacts SET fetched_at = 0').run();
      cache.close();
      await engine.start();
    },
    makeGroup: async (name) => (await newGroup(person, name)).group.groupId,
    async joinGroup(groupId) {
      await callEngine(engine, 'groups.join', { groupId, password: null });
    },
    async removeFrom(groupId, gone) {
      const conversationId = await groupIn(engine, groupId);
      await callEngine(engine, 'groups.removeMember', { conversationId, address: gone });
    },
    async look(groupId) {
      const { members } = await detailsOf(engine, groupId);
      const wire = (all: typeof members) => all.map(({ person: { address: shown } }) => shown.toLowerCase());
      return { members: wire(members) };
    },
    async undelivered({ to }) {
      if (typeof to === 'string') return [];
      const { members } = await detailsOf(engine, to.group);
      return members.flatMap(({ person: { address: shown }, problem }) =>
        problem ? [{ address: shown.toLowerCase(), code: problem.code }] : [],
      );
    },
    async changeList() {
      await callEngine(engine, 'developer.unlock', {});
    },
    // The app does so by itself.
    greet: async () => undefined,
    query: () => [
      callEngine(engine, 'people.resolve', { query: '@somebody' }),
      callEngine(engine, 'groups.browse', { query: '', cursor: null }),
      callEngine(engine, 'developer.get', {}),
      callEngine(engine, 'people.search', { query: 'b', verifiedOnly: false, cursor: null }),
    ],
    async signUp(relay) {
      await using other = await new LocalEngine(relay).start();
      await setUp(other, 'somebody');
    },
  };
}

/** The conversation of a person's group, by the group's id. */
async function groupIn(engine: Callable, groupId: string): Promise<string> {
  const all = await callEngine(engine, 'conversations.list', {});
  const found = all.find((each) => each.kind === 'group' && each.group.groupId === groupId);
  if (!found) throw new Error('this engine does not have the group');
  return found.id;
}

async function detailsOf(engine: Callable, groupId: string): Promise<GroupDetails> {
  return callEngine(engine, 'groups.details', { conversationId: await groupIn(engine, groupId) });
}

/** A program on the library, with an identity in a file. */
export async function newProgram(hostile: HostileRelay, handle: string): Promise<Party> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'identity.json');
  let identity = Identity.create({ file });
  // It signs everything, as the app does.
  await identity.register(hostile.url, { handle, allowUnsigned: [] });
  let client = new RelayClient({ identity });
  const removed: string[] = [];
  /** Recipients without a copy, by the id of the message. */
  const undelivered = new Map<string, { address: string; code: FailureCode }[]>();
  const send = async (id: string, to: To, text: string): Promise<Written> => {
    const options = { messageId: id };
    try {
      const sent =
        typeof to === 'string'
          ? await client.send(to, text, options)
          : await client.sendToGroup(to.group, text, options);
      undelivered.set(id, sent.undelivered);
      return { id, text, to, state: 'sent', problem: null };
    } catch (error) {
      // The text is invalid: no message was to be sent.
      if (failedWith(error, 'message_empty', 'message_too_long')) throw error;
      const { message: problem } = error as Error;
      return { id, text, to, state: isWithheld(error) ? 'waiting' : 'failed', problem };
    }
  };
  const texts = async () => {
    for await (const { text } of client.messages({ follow: false })) removed.push(text ?? '');
    return [...removed];
  };
  hostile.use({
    async [Symbol.asyncDispose]() {
      client.close();
      folder[Symbol.dispose]();
    },
  });
  return {
    address: identity.address,
    write: (to, text) => send(newMessageId(), to, text),
    async retry({ id, to, text }) {
      await send(id, to, text);
    },
    texts,
    textsAtEnd: texts,
    async restart() {
      client.close();
      identity = Identity.open(file);
      client = new RelayClient({ identity });
    },
    makeGroup: async (name) => (await client.createGroup(name, { open: true })).id,
    async joinGroup(id) {
      await client.joinGroup(id);
    },
    async removeFrom(id, gone) {
      await client.removeMembers(id, gone);
    },
    look: (id) => client.group(id),
    undelivered: async ({ id }) => undelivered.get(id) ?? [],
    async changeList() {
      const registration = identity.registration(identity.account());
      await registration.renew();
      await registration.ensure();
    },
    greet: () => client.greet(),
    query: () => [client.resolve('@somebody'), client.groups(), client.me(), client.searchHandles('b')],
    signUp: (relay) => Identity.create().register(relay),
  };
}

export const PARTIES = [
  ['the app', newApp],
  ['a program on the library', newProgram],
] as const;

export type NewParty = (typeof PARTIES)[number][1];

/** Two parties of a kind. They close with the relay. */
export async function newPair(
  hostile: HostileRelay,
  newParty: NewParty,
): Promise<{ ann: Party; ben: Party }> {
  return { ann: await newParty(hostile, 'ann'), ben: await newParty(hostile, 'ben') };
}

/**
 * Delivers envelopes to Ben's device, and makes Ann write after it has judged them all.
 * @param to where Ann writes, for Ben
 * @returns the texts that came to Ben beside hers, in order
 */
export async function shownOf(
  hostile: HostileRelay,
  { ann, ben }: { ann: Party; ben: Party },
  { deviceId }: Target,
  envelopes: readonly InboxEnvelope[],
  to: To = ben.address,
): Promise<string[]> {
  const before = await ben.texts();
  await hostile.deliver(deviceId, envelopes, ben.texts);
  const truth = `the truth, ${newMessageId()}`;
  expect(await ann.write(to, truth)).toMatchObject({ state: 'sent' });
  const texts = await waitForText(ben, truth);
  for (const text of [...before, truth]) {
    expect(texts).toContain(text);
    texts.splice(texts.indexOf(text), 1);
  }
  return texts;
}

/** Waits until a text has arrived. */
export async function waitForText(party: Party, text: string): Promise<string[]> {
  return eventually(
    () => party.texts(),
    (texts) => texts.includes(text),
  );
}
