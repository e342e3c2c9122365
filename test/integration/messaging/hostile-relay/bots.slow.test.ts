/**
 * A relay that has every group token, but no key of a bot. The messages that it invents for a bot are not
 * shown, nor those that a bot signed for another group, or after its revocation.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importEd25519, type PrivateKey, randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime, encodeUtf8 } from '../../../../src/protocol/encoding.ts';
import { encodeFrame } from '../../../../src/protocol/payload-frame.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { encodeBotPayload } from '../../../support/bot-payload.ts';
import {
  directBody,
  forge,
  forgeByBot,
  groupBody,
  type Target,
  targetOf,
  wrap,
} from '../../../support/hostile-relay/forgery.ts';
import {
  newPair,
  PARTIES,
  type Party,
  shownOf,
  waitForText,
} from '../../../support/hostile-relay/parties.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../../support/person.ts';
import { TestRoster } from '../../../support/relay-rosters.ts';

const MINUTE = 60_000;

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  let ben: Party;
  /** The owner of these groups. */
  let dora: Person;
  let target: Target;
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    ({ ann, ben } = await newPair(hostile, newParty));
    dora = await newPerson(hostile.relay);
    target = await targetOf(hostile, dora.token, ben.address);
    await ann.write(ben.address, 'the first');
    await waitForText(ben, 'the first');
  });
  afterAll(() => hostile[Symbol.asyncDispose]());

  const botOf = (key: PrivateKey, name = 'builds') => ({ key: encodeBase64Url(key.publicKey), name });
  const newKey = () => importEd25519(randomBytes(32));

  /** A group of Dora's that Ben is in, with these bots. */
  async function groupWith(bots: PrivateKey[], unsignedBots = false): Promise<TestRoster> {
    const roster = await TestRoster.begin(dora, {
      bots: bots.map((key, index) => botOf(key, `bot ${index}`)),
      unsignedBots,
    });
    await ben.joinGroup(roster.id);
    return roster;
  }

  /** The entry that the relay shows last, with Ben's join. */
  async function placeOf({ params }: TestRoster) {
    return (await hostile.relay.call('admitToGroup', { token: dora.token, params, body: {} })).body;
  }

  async function bodyIn(roster: TestRoster, text: string, sender = dora.address) {
    return groupBody(sender, roster.id, await placeOf(roster), text);
  }

  /** Ben's views of envelopes, in order. */
  const shown = (...envelopes: InboxEnvelope[]) => shownOf(hostile, { ann, ben }, target, envelopes);

  test('a signed post of a bot is shown, although the group allows nothing unsigned', async () => {
    const key = newKey();
    const roster = await groupWith([newKey(), key]);
    expect(await shown(forgeByBot(target, await bodyIn(roster, 'signed by the bot'), key))).toEqual([
      'signed by the bot',
    ]);
  });

  test('the relay, which has the token, cannot invent a post of the bot', async () => {
    const key = newKey();
    const roster = await groupWith([key]);
    const body = await bodyIn(roster, 'made up');
    const unsigned = forge(dora.address, target, { channel: 'group', body }, null, { via: 'group_token' });
    // Another key, claimed to be the bot's.
    const impostor = Object.assign(newKey(), { publicKey: key.publicKey });
    const changed = encodeBotPayload({ ...body, seq: 0 }, key);
    changed[changed.length - 4] = (changed[changed.length - 4] ?? 0) ^ 1;
    expect(
      await shown(
        unsigned,
        forgeByBot(target, body, newKey()),
        forgeByBot(target, body, impostor),
        wrap(dora.address, target, changed, roster.id, { via: 'group_token' }),
      ),
    ).toEqual([]);
  });

  test('a bot posts with a token of its group and owner, into its group only', async () => {
    const key = newKey();
    const roster = await groupWith([key]);
    const other = await groupWith([]);
    const elsewhere = await bodyIn(other, 'into another group');
    const direct = { ...directBody(dora.address, ben.address, 'to a person'), seq: 0 };
    const asDirect = encodeFrame('direct', encodeUtf8(JSON.stringify(direct)), { kind: 'bot', key });
    const mine = await bodyIn(roster, 'for another group');
    const payload = encodeBotPayload({ ...mine, seq: 0 }, key);
    expect(
      await shown(
        forgeByBot(target, await bodyIn(roster, 'by no token'), key, { via: 'session' }),
        forgeByBot(target, elsewhere, key),
        wrap(dora.address, target, payload, other.id, { via: 'group_token' }),
        wrap(dora.address, target, asDirect, null, { via: 'group_token' }),
        forgeByBot(target, await bodyIn(roster, 'in Ben’s name', ben.address), key),
        forgeByBot(target, await bodyIn(roster, 'in Ann’s name', ann.address), key),
      ),
    ).toEqual([]);
  });

  test('a signed post of a bot is shown once although the relay repeats it', async () => {
    const key = newKey();
    const roster = await groupWith([key]);
    const body = await bodyIn(roster, 'once');
    const again = () => forgeByBot(target, body, key);
    expect(await shown(again(), again())).toEqual(['once']);
    expect(await shown(again())).toEqual([]);
  });

  test('earlier signatures of a revoked bot are valid for ten minutes', async () => {
    const key = newKey();
    const roster = await groupWith([key]);
    const before = await bodyIn(roster, '');
    const late = { ...before, ...(await bodyIn(roster, 'after ten minutes')), roster: before.roster };
    const inTime = { ...late, ...(await bodyIn(roster, 'in time')), roster: before.roster };
    await removeBots(roster);
    const at = (minutes: number) => encodeTime(hostile.relay.now() + minutes * MINUTE);
    const afterwards = await bodyIn(roster, 'it knows of its end');
    await ben.look(roster.id);
    expect(
      await shown(
        forgeByBot(target, inTime, key, { receivedAt: at(0) }),
        forgeByBot(target, afterwards, key),
        forgeByBot(target, late, key, { receivedAt: at(11) }),
      ),
    ).toEqual(['in time']);
  });

  test('an unsigned post counts while the owner allows it, naming any entry', async () => {
    const roster = await groupWith([], true);
    const unsigned = async (text: string, place = placeOf(roster)) => {
      const body = { ...(await bodyIn(roster, text)), roster: await place };
      return forge(dora.address, target, { channel: 'group', body }, null, { via: 'group_token' });
    };
    const allowed = await placeOf(roster);
    expect(await shown(await unsigned('allowed'))).toEqual(['allowed']);
    await change(roster, { unsignedBots: false });
    // Refers to the entry that once allowed it: the relay can name any entry.
    const old = await unsigned('allowed once', Promise.resolve(allowed));
    expect(await shown(await unsigned('no longer'), old)).toEqual([]);
  });

  test('a post is accepted with any name that the relay reports for its token, and the name does not make it a bot’s', async () => {
    const key = newKey();
    const roster = await groupWith([key], true);
    const named = async (text: string, bot: InboxEnvelope['bot']) => {
      const body = await bodyIn(roster, text);
      return forge(dora.address, target, { channel: 'group', body }, null, { via: 'group_token', bot });
    };
    const texts = ['long', 'turned', 'the key of another', 'nothing left'];
    expect(
      await shown(
        await named('long', { id: 'a', name: 'x'.repeat(1_000_000) }),
        await named('turned', { id: 'b', name: '\u202egnirts\u0000\n' }),
        await named('the key of another', { id: botOf(key).key, name: 'bot 0' }),
        await named('nothing left', { id: 'c', name: '\u200b' }),
      ),
    ).toEqual(texts);
  });

  test('an invented bot with an invented entry is not kept waiting', async () => {
    const roster = await groupWith([newKey()]);
    const place = { epoch: 99, hash: encodeBase64Url(randomBytes(32)) };
    const body = { ...(await bodyIn(roster, 'from the future')), roster: place };
    expect(await shown(forgeByBot(target, body, newKey()))).toEqual([]);
  });

  /** Dora changes her group after Ben has joined it: his join is folded first. */
  async function change(roster: TestRoster, fields: object): Promise<void> {
    const { hash, epoch } = await placeOf(roster);
    roster.state = { ...roster.state, hash, epoch };
    const entry = roster.make(dora, { kind: 'change', ...fields });
    const body = { entry };
    await hostile.relay.call('postRosterEntry', { token: dora.token, params: roster.params, body });
  }
  const removeBots = (roster: TestRoster) => change(roster, { bots: [] });
});
