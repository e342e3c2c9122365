/**
 * Honest ends of a conversation on a relay that lies to them: the app, and a program on the library. What they promise
 * about messages is the same.
 */

import { join } from 'node:path';
import { isWithheld, sentenceOf } from '../../../src/base/failure.ts';
import { Identity, RelayClient } from '../../../src/client/index.ts';
import { newMessageId } from '../../../src/client/sealing.ts';
import { openCache } from '../../../src/engine/cache/database.ts';
import { callEngine, eventually, temporaryFolder } from '../engine.ts';
import { messagesOf, newHonest, write } from './people.ts';
import type { HostileRelay } from './proxy.ts';

/** What became of a message. */
export interface Written {
  id: string;
  text: string;
  to: string;
  /** 'waiting': for devices that the relay does not show, or for the relay. */
  state: 'sent' | 'waiting' | 'failed';
  problem: string | null;
}

export interface Party extends AsyncDisposable {
  /** Wire form. */
  readonly address: string;
  write(to: string, text: string): Promise<Written>;
  /** Tries again to send what was not sent. */
  retry(written: Written): Promise<void>;
  /** The texts of all that has come and was taken so far, after looking for what waits. */
  texts(): Promise<string[]>;
  /** Knows nothing more than what is on its disk, and asks for keys anew. */
  restart(): Promise<void>;
  /** Makes a group. @returns its id */
  makeGroup(name: string): Promise<string>;
}

/** Somebody with the app. */
export async function newApp(hostile: HostileRelay, handle: string): Promise<Party> {
  const person = await newHonest(hostile, handle);
  const { engine, address } = person;
  return {
    address,
    async write(to, text) {
      const { id, state, problem } = await write(person, { engine, address: to, handle: '' }, text);
      const told = problem && sentenceOf(problem);
      return {
        id,
        text,
        to,
        state: state === 'sent' || state === 'failed' ? state : 'waiting',
        problem: told,
      };
    },
    async retry({ id }) {
      await callEngine(engine, 'messages.retry', { id }).catch(() =>
        callEngine(engine, 'connection.retry', {}),
      );
    },
    async texts() {
      await callEngine(engine, 'connection.retry', {});
      return (await messagesOf(person)).filter(({ trust }) => trust !== 'self').map(({ text }) => text);
    },
    async restart() {
      await engine.close();
      const cache = openCache(engine.folder.path, engine.key);
      cache.prepare('UPDATE contacts SET fetched_at = 0').run();
      cache.close();
      await engine.start();
    },
    async makeGroup(name) {
      const made = await callEngine(engine, 'groups.create', { name, description: '', password: null });
      if (made.kind !== 'group') throw new Error('this is no group');
      return made.group.groupId;
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** A program on the library, with an identity in a file. */
export async function newProgram(hostile: HostileRelay, handle: string): Promise<Party> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'identity.json');
  let identity = Identity.create({ file });
  // It signs everything, as the app does.
  await identity.register(hostile.url, { handle, allowUnsigned: [] });
  let client = new RelayClient({ identity });
  const taken: string[] = [];
  const send = async (id: string, to: string, text: string): Promise<Written> => {
    try {
      await client.send(to, text, { messageId: id });
      return { id, text, to, state: 'sent', problem: null };
    } catch (error) {
      const { message: problem } = error as Error;
      return { id, text, to, state: isWithheld(error) ? 'waiting' : 'failed', problem };
    }
  };
  return {
    address: identity.address,
    write: (to, text) => send(newMessageId(), to, text),
    async retry({ id, to, text }) {
      await send(id, to, text);
    },
    async texts() {
      for await (const { text } of client.messages({ follow: false })) taken.push(text ?? '');
      return [...taken];
    },
    async restart() {
      client.close();
      identity = Identity.open(file);
      client = new RelayClient({ identity });
    },
    makeGroup: async (name) => (await identity.account().call('createGroup', { body: { name } })).id,
    async [Symbol.asyncDispose]() {
      client.close();
      folder[Symbol.dispose]();
    },
  };
}

export const PARTIES = [
  ['the app', newApp],
  ['a program on the library', newProgram],
] as const;

/** Waits until a text has come. */
export async function waitForText(party: Party, text: string): Promise<string[]> {
  return eventually(
    () => party.texts(),
    (texts) => texts.includes(text),
  );
}
