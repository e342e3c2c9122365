/**
 * Lies and honest messages in any order: what is honest is shown once, and nothing else is shown.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importEd25519, randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { directBody, forge, type Target, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { conversationWith, type Honest, newHonest, textsOf } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson } from '../../../support/person.ts';

/** How many schedules are tried: 20,000 for a night. */
const numRuns = Number(process.env.WAXWING_HOSTILE_RUNS ?? 25);

const STEPS = ['say', 'replay', 'reorder', 'invent', 'cross', 'cut', 'babble', 'restart', 'truth'] as const;
type Step = (typeof STEPS)[number];

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
let target: Target;
const seen: InboxEnvelope[] = [];
const honest: string[] = [];
beforeAll(async () => {
  hostile = await HostileRelay.start();
  [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
  target = await targetOf(hostile, (await newPerson(hostile.relay)).token, ben.address);
  watch();
});
afterAll(async () => {
  for (const { engine } of [ann, ben]) await engine[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

const isInbox = (path: string) => path.includes(`/inbox?device=${target.deviceId}`);
type Page = { envelopes: InboxEnvelope[] };

/** Remembers what passes, to be shown again. */
function watch(): void {
  hostile.lie(({ path, status, body }) => {
    if (isInbox(path) && status === 200) seen.push(...(body as Page).envelopes.slice(0, 5));
  });
}

async function say(): Promise<void> {
  const text = `honest ${honest.length}`;
  honest.push(text);
  const { id } = await conversationWith(ann, ben);
  await callEngine(ann.engine, 'messages.send', { conversationId: id, text });
}

function changeInbox(change: (envelopes: InboxEnvelope[]) => InboxEnvelope[]): void {
  hostile.lie(({ path, status, body }) => {
    if (!isInbox(path) || status !== 200) return undefined;
    const page = body as Page;
    return { ...page, envelopes: change(page.envelopes) };
  });
}

const again = (envelope: InboxEnvelope) => ({ ...envelope, id: encodeBase64Url(randomBytes(32)) });
const newId = () => encodeBase64Url(randomBytes(32));

const DO: Record<Step, () => Promise<void> | void> = {
  say,
  replay: () => {
    for (const envelope of seen.slice(-3)) hostile.invent(target.deviceId, again(envelope));
  },
  reorder: () => changeInbox((envelopes) => envelopes.toReversed()),
  invent: () => {
    const list = { sequence: 1, hash: encodeBase64Url(randomBytes(32)) };
    const signer = { deviceKey: importEd25519(randomBytes(32)), list };
    const message = { channel: 'direct' as const, body: directBody(ann.address, ben.address, 'invented') };
    hostile.invent(target.deviceId, forge(ann.address, target, message, signer));
    hostile.invent(target.deviceId, forge(ann.address, target, message, null, { via: 'api_key' }));
  },
  cross: () => {
    for (const envelope of seen.slice(-2)) {
      hostile.invent(target.deviceId, { ...envelope, id: newId(), groupId: 'another' });
      hostile.invent(target.deviceId, { ...envelope, id: newId(), toAddress: ann.address });
    }
  },
  cut: () => changeInbox(() => []),
  babble: () => hostile.babble(isInbox, (_, response) => response.end('{"envelopes": [{}]}')),
  restart: async () => {
    await ben.engine.close();
    await ben.engine.start();
  },
  truth: () => {
    hostile.tellTruth();
    watch();
  },
};

test('whatever the relay does, in the end Ben has what Ann wrote, each once, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const step of steps) {
        await DO[step]();
        await callEngine(ben.engine, 'connection.retry', {});
      }
      await DO.truth();
      await say();
      for (const { engine } of [ann, ben]) await callEngine(engine, 'connection.retry', {});
      await eventually(
        () => textsOf(ben),
        (all) => all.length >= Math.min(honest.length, 200),
      );
      // The newest two hundred are looked at.
      expect((await textsOf(ben)).toSorted()).toEqual(honest.slice(-200).toSorted());
    }),
    { numRuns },
  );
}, 600_000);
