/**
 * The mark of a verified handle: the relay can take it away at any time, and give it back only at the person's request.
 */
import { expect, test } from 'vitest';
import type { HandleRecord } from '../../../../src/protocol/schemas/directory.ts';
import { callEngine } from '../../../support/engine.ts';
import { newHonest } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../../support/local-engine.ts';

class EngineAhead extends LocalEngine {
  /** Moves its clock ahead, in milliseconds. */
  ahead = 0;
  protected override get surroundings() {
    return { now: () => Date.now() + this.ahead, random: Math.random };
  }
}

/** The directory's answers about @ben from now on. */
type Shown = 'verified' | 'without a profile' | 'without an account' | 'not verified';

async function annAndBen(hostile: HostileRelay) {
  const engine = new EngineAhead(hostile.url);
  const ann = await newHonest(hostile, 'ann', engine);
  const { address } = await newHonest(hostile, 'ben');
  let shown: Shown = 'verified';
  const marked = (record: HandleRecord) => ({ ...record, verified: shown === 'verified' });
  hostile.lie((passing) => {
    const { path, status, body } = passing;
    const isKeys = path.endsWith(`/keys/${address}`);
    if (status !== 200 || !(isKeys || path.endsWith('/handles/ben'))) return undefined;
    if (shown === 'without an account' || (shown === 'without a profile' && !isKeys)) {
      passing.status = 404;
      const problem = { type: 'urn:waxwing:problem:not_found', title: '', status: 404, code: 'not_found' };
      return { ...problem, reason: '', detail: '', requestId: '1' };
    }
    if (!isKeys) return marked(body as HandleRecord);
    const keys = body as { profile: HandleRecord };
    return { ...keys, profile: shown === 'without a profile' ? null : marked(keys.profile) };
  });
  const lookUp = async () => {
    const person = await callEngine(engine, 'people.resolve', { query: '@ben' });
    return [person.handle, person.handleVerified];
  };
  await lookUp();
  const { id } = await callEngine(ann.engine, 'conversations.open', { address });
  /** Handle and mark in the chat. */
  const inChat = async () => {
    const chat = await callEngine(engine, 'conversations.get', { id });
    if (chat.kind !== 'direct') throw new Error('this is a group');
    return [chat.peer.handle, chat.peer.handleVerified];
  };
  return {
    lookUp,
    inChat,
    show(next: Shown) {
      shown = next;
    },
    /** The same after the next look at the address in the directory. */
    async after(next: Shown) {
      shown = next;
      engine.ahead += 61_000;
      await callEngine(engine, 'people.details', { address });
      return inChat();
    },
  };
}

test.each([['without a profile'], ['without an account']] as const)(
  'a contact whose address the relay shows %s loses handle and mark, and the mark returns only with a look-up',
  async (hidden) => {
    await using hostile = await HostileRelay.start();
    const { after, lookUp } = await annAndBen(hostile);
    expect(await after('verified')).toEqual(['ben', true]);
    expect(await after(hidden)).toEqual([null, false]);
    expect(await after('verified')).toEqual(['ben', false]);
    expect(await lookUp()).toEqual(['ben', true]);
    expect(await after('verified')).toEqual(['ben', true]);
    expect(await after('not verified')).toEqual(['ben', false]);
    expect(await after('verified')).toEqual(['ben', false]);
  },
);

test('a handle that the relay no longer knows is taken from its contact', async () => {
  await using hostile = await HostileRelay.start();
  const { inChat, lookUp, show } = await annAndBen(hostile);
  expect(await inChat()).toEqual(['ben', true]);
  show('without a profile');
  await expect(lookUp()).rejects.toMatchObject({ data: { code: 'handle_unknown' } });
  expect(await inChat()).toEqual([null, false]);
});
