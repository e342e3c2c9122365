/**
 * Our app, and a program on our library, with contents, rights, repeats and times that an independent client
 * sends: docs/protocol.md §4.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Calls } from '../../interop/by-hand/calls.ts';
import { createApiKey } from '../../interop/by-hand/credentials.ts';
import { createDevice } from '../../interop/by-hand/device.ts';
import { beginning, ticketBy } from '../../interop/by-hand/group.ts';
import { textBytes } from '../../interop/bytes.ts';
import { type Body, encodeBytes, encodePayload } from '../../interop/payload.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { type HowToWrite, USERS, type WithApp, type WithProgram } from './with-app.ts';

const DAY = 86_400_000;
/** Milliseconds for which a device is valid: more than a test may take, less than a session. */
const VALID_FOR = 600_000;
const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

describe.each(USERS)('%s', (_, start) => {
  let pair: WithApp | WithProgram;
  beforeAll(async () => {
    pair = await start(relay.url);
    await pair.meet();
  });
  afterAll(() => pair[Symbol.asyncDispose]());

  const text = (content = 'Hello') => pair.ada.text(pair.grace, content);
  /** Into a group of ada's, with a ticket for the user. */
  function invitation() {
    const { ada, grace } = pair;
    const { id: group } = beginning(ada, 'Tea');
    const ticket = ticketBy(ada, group, grace);
    return { ...text(), kind: 'invite', group, name: 'Tea', ticket, fallback: 'You are invited' };
  }
  const signer = () => ({ by: 'device' as const, key: pair.ada.device.key });
  const shownOf = (body: object, how: HowToWrite = {}) => pair.shownBy(() => pair.write(body as Body, how));
  const timesAgo = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

  /** The view of a payload of any bytes. */
  function shownOfPayload(payload: ReturnType<typeof encodePayload>) {
    return pair.shownBy(async () => {
      const { ada, grace } = pair;
      await pair.post(await ada.sealPayload(await ada.keysOf(grace), payload));
    });
  }

  describe('shows', () => {
    const shown: [string, () => object, (string | null)[]][] = [
      ['a text of 16,384 bytes', () => text('é'.repeat(8192)), ['text', 'é'.repeat(8192), 'verified']],
      [
        'a text with fields that nobody knows',
        () => ({ ...text(), mood: 'glad' }),
        ['text', 'Hello', 'verified'],
      ],
      ['a text with a malformed fallback', () => ({ ...text(), fallback: 7 }), ['text', 'Hello', 'verified']],
      [
        'the fallback of an unknown kind',
        () => ({ ...text(), kind: 'hologram', fallback: 'A hologram' }),
        ['newer', 'A hologram', 'verified'],
      ],
      [
        'the fallback of a text that is too long',
        () => ({ ...text('x'.repeat(16_385)), fallback: 'A long text' }),
        ['newer', 'A long text', 'verified'],
      ],
      [
        'the fallback of a kind that is reserved',
        () => ({ ...text(), kind: 'own.set', fallback: 'A setting' }),
        ['newer', 'A setting', 'verified'],
      ],
      ['an invitation to a group', () => invitation(), ['invite', '', 'verified']],
      [
        'an invitation whose name has 80 characters of two bytes',
        () => ({ ...invitation(), name: 'é'.repeat(80) }),
        ['invite', '', 'verified'],
      ],
      [
        'the fallback of an invitation whose name has 81 characters',
        () => ({ ...invitation(), name: 'é'.repeat(81) }),
        ['newer', 'You are invited', 'verified'],
      ],
      [
        'the fallback of an invitation without a ticket',
        () => ({ ...invitation(), ticket: undefined }),
        ['newer', 'You are invited', 'verified'],
      ],
      [
        'a text with a time of writing before it was sealed',
        () => ({ ...text(), writtenAt: timesAgo(DAY) }),
        ['text', 'Hello', 'verified'],
      ],
      [
        'a text with a time of writing that is none',
        () => ({ ...text(), writtenAt: 'yesterday' }),
        ['text', 'Hello', 'verified'],
      ],
      ['a text that names itself number 0', () => ({ ...text(), seq: 0 }), ['text', 'Hello', 'verified']],
    ];
    it.each(shown)('§7: %s', async (_, body, expected) => {
      expect(await shownOf(body())).toEqual([expected]);
    });
  });

  describe('sets aside', () => {
    it('§7: a signed body that does not name its list', async () => {
      const { list: _, ...body } = text();
      expect(await shownOf(body)).toEqual([]);
    });

    it('§7: a payload of version 1, or with an unknown type of signature', async () => {
      for (const at of [9, 10]) {
        const payload = encodePayload('direct', text(), signer());
        payload[at] = at === 9 ? 1 : 2;
        expect(await shownOfPayload(payload)).toEqual([]);
      }
    });

    it('§7: a direct payload with the label of a group, and one whose body is no JSON', async () => {
      const direct = textBytes(JSON.stringify(text()));
      expect(await shownOfPayload(encodeBytes('group', direct, signer()))).toEqual([]);
      expect(await shownOfPayload(encodeBytes('direct', textBytes('{'), signer()))).toEqual([]);
    });

    const malformed: [string, object][] = [
      ['an id of 15 bytes', { id: 'A'.repeat(20) }],
      ['a time without milliseconds', { sentAt: '2026-11-20T20:00:00Z' }],
      ['a number that is not whole', { seq: 1.5 }],
      ['a number below 0', { seq: -1 }],
      ['a kind of 33 characters', { kind: 'k'.repeat(33), fallback: 'Long' }],
      ['an empty kind', { kind: '', fallback: 'Empty' }],
      ['a list without a hash', { list: { sequence: 1 } }],
      ['a list with number 0', { list: { sequence: 0, hash: 'A'.repeat(43) } }],
      ['a peer in capitals', { peer: `0x${'AB'.repeat(20)}` }],
    ];
    it.each(malformed)('§7: a body with %s', async (_, changed) => {
      expect(await shownOf({ ...text(), ...changed })).toEqual([]);
    });

    it('§7: a message of a device that had expired at its arrival', async () => {
      await using other = await start(relay.url);
      const { ada, grace } = other;
      const short = await createDevice('app');
      short.listed.validUntil = new Date(Date.now() + VALID_FOR).toISOString();
      await ada.certify([], [ada.device, short]);
      const early = await other.shownBy(() => other.write(ada.text(grace, 'in time'), { device: short }));
      relay.ahead = VALID_FOR;
      const late = await other.shownBy(() => other.write(ada.text(grace, 'too late'), { device: short }));
      relay.ahead = 0;
      expect(early).toEqual([['text', 'in time', 'verified']]);
      expect(late).toEqual([]);
    });
  });

  describe('a repeat and a time', () => {
    it('§7: of the same sender and id count once, with any content', async () => {
      const body = text('first');
      expect(await shownOf(body)).toEqual([['text', 'first', 'verified']]);
      expect(await shownOf({ ...body, text: 'second' })).toEqual([]);
    });

    it.each([
      ['44 days old', 44 * DAY, true],
      ['46 days old, at a relay that keeps 30', 46 * DAY, false],
      ['23 hours ahead', -23 * (DAY / 24), true],
      ['25 hours ahead', -25 * (DAY / 24), false],
    ])('§7: of a message that is %s counts as it should', async (_, ago, counts) => {
      const shown = await shownOf({ ...text('from another time'), sentAt: timesAgo(ago) });
      expect(shown).toHaveLength(counts ? 1 : 0);
    });
  });

  describe('unsigned messages', () => {
    let ofApi: WithApp | WithProgram;
    let calls: Calls;
    beforeAll(async () => {
      ofApi = await start(relay.url);
      await ofApi.ada.certify(['api']);
      await ofApi.meet();
      calls = (await createApiKey(ofApi.ada)).calls;
    });
    afterAll(() => ofApi[Symbol.asyncDispose]());

    const unsigned = (content = 'Hello') => {
      const { list: _, ...body } = ofApi.ada.text(ofApi.grace, content);
      return { ...body, seq: 0 };
    };
    const shown = (body: object, how: object = { signed: false, calls }) =>
      ofApi.shownBy(() => ofApi.write(body as Body, how));

    it('§7: may be a text', async () => {
      expect(await shown(unsigned('21 degrees'))).toEqual([['text', '21 degrees', 'api']]);
    });

    it.each(['attachment', 'poll'])(
      '§7: may be of the reserved kind %s, whose fallback is shown',
      async (kind) => {
        expect(await shown({ ...unsigned(), kind, fallback: 'For later' })).toEqual([
          ['newer', 'For later', 'api'],
        ]);
      },
    );

    it.each(['hologram', 'invite', 'accept', 'own.set'])('§7: may not be of kind %s', async (kind) => {
      const body = { ...unsigned(), kind, group: 'abc', name: 'Tea', fallback: 'Not allowed' };
      expect(await shown(body)).toEqual([]);
    });

    it('§7: do not block a signed message with the same id, which blocks both', async () => {
      const body = ofApi.ada.text(ofApi.grace, 'by both');
      expect(await shown(body)).toEqual([['text', 'by both', 'api']]);
      const signed = await shown(body, {});
      expect(signed).toEqual([['text', 'by both', 'verified']]);
      expect(await shown(body)).toEqual([]);
      expect(await shown(body, {})).toEqual([]);
    });
  });
});
