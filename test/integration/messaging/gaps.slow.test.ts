/**
 * Gaps in received messages, for the app and a program on the library: a message that a relay withholds is requested again, and
 * requested messages are sealed again, for permitted recipients and within limits.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ReceiptContent } from '../../../src/messaging/contents/kinds/receipt.ts';
import { decodePayload, type GroupBody } from '../../../src/protocol/payload.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { eventually } from '../../support/engine.ts';
import { directBody, forge, groupBody, type Target, targetOf } from '../../support/hostile-relay/forgery.ts';
import type { Party } from '../../support/hostile-relay/parties.ts';
import type { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { CLOCKED_PARTIES, moveClock, newAcquaintance } from '../../support/hostile-relay/world.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { joinAs, placeAt } from '../../support/relay-rosters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(CLOCKED_PARTIES)('%s', (_, newAnn) => {
  let hostile: HostileRelay;
  let ann: Party;
  let target: Target;
  let dora: Person;
  beforeEach(async () => {
    ({ hostile, ann, target, dora } = await newAcquaintance(newAnn));
  });
  afterEach(() => hostile[Symbol.asyncDispose]());

  /** Messages from Ann on a person's device, oldest first. */
  async function got(person: Person) {
    const envelopes = await person.inbox();
    return envelopes.map((envelope) => decodePayload(person.openBytes(envelope)).body);
  }
  async function receiptsTo(person: Person): Promise<ReceiptContent[]> {
    return (await got(person)).flatMap((body) => {
      const { data: receipt } = ReceiptContent.safeParse(body);
      // Receipts are not about gaps.
      return receipt && !receipt.delivered && !receipt.read ? [receipt] : [];
    });
  }

  /** A text that a person's device has signed. The same one has the same id. */
  const textOf = (person: Person, seq: number, text = `number ${seq}`) => ({
    ...directBody(person.address, target.address, text),
    seq,
  });
  const direct = (person: Person, body: ReturnType<typeof textOf>, changes = {}) =>
    forge(person.address, target, { channel: 'direct', body: { ...body, ...changes } }, person.signer);
  const gapRequest = (person: Person, seqs: number[], fields = {}) =>
    direct(person, textOf(person, 0), { kind: 'receipt', missing: { [target.deviceId]: seqs }, ...fields });

  /** Ann's device receives the invented envelopes, and has read its queue to the end when this returns. */
  async function deliver(...envelopes: InboxEnvelope[]): Promise<string[]> {
    await hostile.deliver(target.deviceId, envelopes, ann.texts);
    return ann.textsAtEnd();
  }

  async function travel(milliseconds: number): Promise<void> {
    moveClock(milliseconds);
    await dora.login();
    await ann.textsAtEnd();
    target = await targetOf(hostile, dora.token, ann.address);
  }

  test('a withheld message is requested once it must have arrived, and shown once', async () => {
    const withheld = { ...textOf(dora, 2), text: 'withheld' };
    await deliver(direct(dora, textOf(dora, 1)), direct(dora, textOf(dora, 3)));
    await travel(MINUTE);
    expect(await receiptsTo(dora)).toEqual([]);
    await travel(2 * MINUTE);
    const [requested] = await eventually(
      () => receiptsTo(dora),
      ({ length }) => length > 0,
    );
    expect(requested).toMatchObject({ missing: { [dora.device.id]: [2] } });
    expect(requested?.group).toBeUndefined();
    await deliver(direct(dora, withheld), direct(dora, withheld));
    const texts = await deliver(direct(dora, withheld));
    expect(texts.filter((text) => text === withheld.text)).toHaveLength(1);
    await travel(25 * HOUR);
    await travel(HOUR);
    expect(await receiptsTo(dora)).toHaveLength(1);
  });

  test('received numbers are known after a restart: nothing received is requested', async () => {
    await deliver(direct(dora, textOf(dora, 1)), direct(dora, textOf(dora, 2)));
    await ann.restart();
    await deliver(direct(dora, textOf(dora, 3)), direct(dora, textOf(dora, 5)));
    await ann.restart();
    await travel(MINUTE);
    await travel(3 * MINUTE);
    const [requested] = await eventually(
      () => receiptsTo(dora),
      ({ length }) => length > 0,
    );
    expect(requested).toMatchObject({ missing: { [dora.device.id]: [4] } });
  });

  test('gaps of strangers are not requested, nor those of a sender who skipped ten thousand numbers', async () => {
    const eve = await newPerson(hostile.relay);
    await deliver(direct(eve, textOf(eve, 1)), direct(eve, textOf(eve, 10_000)));
    await deliver(direct(dora, textOf(dora, 1)), direct(dora, textOf(dora, 10_000)));
    for (let turn = 0; turn < 14; turn++) await travel(3 * MINUTE);
    await eve.login();
    expect(await receiptsTo(eve)).toEqual([]);
    const requested = (await receiptsTo(dora)).flatMap(({ missing }) => missing?.[dora.device.id] ?? []);
    expect(requested.length).toBeGreaterThan(0);
    expect(requested.length).toBeLessThanOrEqual(200);
    expect(new Set(requested).size).toBe(requested.length);
  });

  test('a requested message is sealed again unchanged, and a missing one is reported', async () => {
    await ann.write(dora.address, 'the second');
    await ann.write(dora.address, 'the third');
    const [, second] = await got(dora);
    const before = (await got(dora)).length;
    await deliver(gapRequest(dora, [2, 77]));
    const bodies = await eventually(
      async () => {
        await ann.texts();
        return got(dora);
      },
      ({ length }) => length >= before + 2,
    );
    expect(bodies[before]).toEqual(second);
    expect(bodies[before + 1]).toMatchObject({
      kind: 'receipt',
      seq: 0,
      skipped: { [target.deviceId]: [77] },
    });
    // The same request within a day is not answered again.
    await deliver(gapRequest(dora, [2, 77]));
    await travel(MINUTE);
    expect(await got(dora)).toHaveLength(before + 2);
  });

  test('strangers and other devices get nothing', async () => {
    await ann.write(dora.address, 'for Dora');
    const [eve, fay] = [await newPerson(hostile.relay), await newPerson(hostile.relay)];
    expect(await ann.write(fay.address, 'for Fay')).toMatchObject({ state: 'sent' });
    await deliver(
      gapRequest(eve, [1, 2]),
      gapRequest(fay, [2]),
      gapRequest(fay, [1], { group: 'x'.repeat(22) }),
      gapRequest(dora, [2]),
    );
    await eventually(
      async () => {
        await ann.texts();
        return got(dora);
      },
      ({ length }) => length === 3,
    );
    expect(await got(eve)).toEqual([]);
    const [, ...rest] = await got(fay);
    expect(rest).toMatchObject([{ kind: 'receipt', skipped: { [target.deviceId]: [2] } }]);
  });

  test('ten thousand requests get a bounded number of answers', async () => {
    const before = (await got(dora)).length;
    const flood = Array.from({ length: 60 }, (_each, index) =>
      gapRequest(
        dora,
        Array.from({ length: 20 }, (_number, offset) => 100 + 20 * index + offset),
      ),
    );
    await deliver(...flood);
    for (let turn = 0; turn < 12; turn++) await travel(MINUTE);
    const skipped = (await receiptsTo(dora)).flatMap((receipt) => receipt.skipped?.[target.deviceId] ?? []);
    expect(skipped.length).toBeGreaterThan(20);
    expect(skipped.length).toBeLessThanOrEqual(400);
    expect((await got(dora)).length - before).toBeLessThanOrEqual(40);
  });

  test('in a group the author’s device is asked, and a removed member gets nothing again', async () => {
    const groupId = await ann.makeGroup('Heron');
    const eve = await newPerson(hostile.relay);
    await joinAs(dora, groupId);
    await joinAs(eve, groupId);
    await ann.look(groupId);
    const place = await placeAt(dora, groupId);
    const numbered = (seq: number, sentAt?: string): GroupBody => ({
      ...groupBody(dora.address, groupId, place, `number ${seq}`),
      seq,
      ...(sentAt !== undefined && { sentAt }),
    });
    const inGroup = (body: GroupBody) =>
      forge(dora.address, target, { channel: 'group', body }, dora.signer, { groupId });
    expect(await ann.write({ group: groupId }, 'for all')).toMatchObject({ state: 'sent' });
    await deliver(inGroup(numbered(1)), inGroup(numbered(3)));
    await travel(3 * MINUTE);
    const [requested] = await eventually(
      async () => {
        await ann.texts();
        return receiptsTo(dora);
      },
      ({ length }) => length > 0,
    );
    expect(requested).toMatchObject({ group: groupId, missing: { [dora.device.id]: [2] } });
    await ann.removeFrom(groupId, eve.address);
    const fay = await newPerson(hostile.relay);
    await joinAs(fay, groupId);
    await ann.look(groupId);
    const before = (await got(dora)).length;
    await deliver(...[dora, eve, fay].map((person) => gapRequest(person, [1], { group: groupId })));
    await eventually(
      async () => {
        await ann.texts();
        return got(dora);
      },
      ({ length }) => length > before,
    );
    expect((await got(dora)).at(-1)).toMatchObject({ groupId, text: 'for all', seq: 1 });
    // A removed member gets the entry of the removal, and no message.
    const sentToEve = Map.groupBy(await got(eve), ({ kind }) => kind);
    expect(sentToEve.get('hello')).toMatchObject([{ group: groupId, seq: 0 }]);
    expect(sentToEve.get('text')).toMatchObject([{ seq: 1 }]);
    expect(sentToEve.size).toBe(2);
    // Fay joined after it was written.
    const [answer, ...others] = await eventually(
      async () => {
        await ann.texts();
        return got(fay);
      },
      ({ length }) => length > 0,
    );
    expect(answer).toMatchObject({ kind: 'receipt', group: groupId, skipped: { [target.deviceId]: [1] } });
    expect(others).toEqual([]);
  });
});
