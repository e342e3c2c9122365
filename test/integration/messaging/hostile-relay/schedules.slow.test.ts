/**
 * Lies and honest messages in any order: each honest one is shown once, and nothing else is shown.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importEd25519, randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { eventually } from '../../../support/engine.ts';
import { directBody, forge, type Target, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { newPair, PARTIES, type Party } from '../../../support/hostile-relay/parties.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { newPerson } from '../../../support/person.ts';
import { runs } from '../../../support/runs.ts';

/** Number of schedules: 20,000 for a night. */
const numRuns = runs({ quick: 4, all: 25, nightly: 400 });

const STEPS = ['say', 'replay', 'reorder', 'invent', 'cross', 'cut', 'babble', 'restart', 'truth'] as const;
type Step = (typeof STEPS)[number];
type Page = { envelopes: InboxEnvelope[] };

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  let ben: Party;
  let target: Target;
  const seen: InboxEnvelope[] = [];
  const honest: string[] = [];
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    ({ ann, ben } = await newPair(hostile, newParty));
    target = await targetOf(hostile, (await newPerson(hostile.relay)).token, ben.address);
    watch();
  });
  afterAll(() => hostile[Symbol.asyncDispose]());

  const isInbox = (path: string) => path.includes(`/inbox?device=${target.deviceId}`);
  const newId = () => encodeBase64Url(randomBytes(32));

  /** Records passing envelopes, to show them again. */
  function watch(): void {
    hostile.lie(({ path, status, body }) => {
      if (isInbox(path) && status === 200) seen.push(...(body as Page).envelopes.slice(0, 5));
    });
  }

  async function sendText(): Promise<void> {
    const text = `honest ${honest.length}`;
    honest.push(text);
    expect(await ann.write(ben.address, text)).toMatchObject({ state: 'sent' });
  }

  function changeInbox(change: (envelopes: InboxEnvelope[]) => InboxEnvelope[]): void {
    hostile.lie(({ path, status, body }) => {
      if (!isInbox(path) || status !== 200) return undefined;
      const page = body as Page;
      return { ...page, envelopes: change(page.envelopes) };
    });
  }

  const DO: Record<Step, () => Promise<void> | void> = {
    say: sendText,
    replay: () => {
      for (const envelope of seen.slice(-3)) hostile.invent(target.deviceId, { ...envelope, id: newId() });
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
    babble: () => hostile.babble(isInbox, (_request, response) => response.end('{"envelopes": [{}]}')),
    restart: () => ben.restart(),
    truth: () => {
      hostile.answerTruthfully();
      watch();
    },
  };

  test(
    'with any behaviour of the relay, Ben gets each message of Ann once, and nothing else',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 8 }),
          async (steps) => {
            for (const step of steps) {
              await DO[step]();
              // A program gets an error about a relay that answers nonsense.
              await ben.texts().catch(() => undefined);
            }
            await DO.truth();
            await sendText();
            // The app shows the newest two hundred.
            const older = new Set(honest.slice(0, -200));
            const newest = honest.slice(-200);
            const texts = await eventually(
              async () => (await ben.texts()).filter((text) => !older.has(text)),
              (all) => all.length >= newest.length,
            );
            expect(texts.toSorted()).toEqual(newest.toSorted());
          },
        ),
        { numRuns },
      );
    },
    LONG_TEST_LIMIT,
  );
});
