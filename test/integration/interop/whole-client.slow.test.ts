/**
 * The independent client as a whole, over the real relay: it sends, receives, is in groups, runs programs, links, and asks
 * for missing messages. The other tests here test its steps one by one.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../interop/by-hand/only.ts';
import { Client } from '../../interop/client.ts';
import { timeOf } from '../../interop/forms.ts';
import {
  changeGroup,
  createGroup,
  createToken,
  inviteTo,
  joinGroup,
  leaveGroup,
  newLink,
  signerOf,
} from '../../interop/group-acts.ts';
import { readChain } from '../../interop/group-reading.ts';
import type { Verdict } from '../../interop/judging.ts';
import { signingKey } from '../../interop/keys.ts';
import { acknowledge, readInbox } from '../../interop/opening.ts';
import { allowPrograms, devicesOfNext, makeApiKey, publishList } from '../../interop/own-account.ts';
import { BotProgram, KeyProgram } from '../../interop/programs.ts';
import { Relay } from '../../interop/relay.ts';
import { signEntry } from '../../interop/roster-entry.ts';
import { lastEntry, membersOf } from '../../interop/roster-state.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY_MS = 24 * 60 * 60_000;
const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

const open = (options: Parameters<typeof Client.open>[2] = {}) =>
  Client.open(relay.url, randomBytes(32), options);
const two = () => Promise.all([open(), open()]);

/** Received texts with the proof of their senders; reasons of the refused ones. */
const seen = (judged: Verdict[]) =>
  judged.map((one) => {
    if (one.is === 'accepted') return [one.body.text ?? one.body.kind, one.bot?.name ?? one.proof];
    return [one.is, one.is === 'set_aside' ? one.reason : ''];
  });

describe('between people', () => {
  it('writes and reads in both suites, without duplicates', async () => {
    const [ada, bob] = await Promise.all([open(), open({ suite: 1 })]);
    const sent = await ada.sendText(bob.address, 'hello', { asRequest: true });
    expect(sent.results).toMatchObject([{ status: 'accepted' }]);
    const [came] = await bob.receive({ wait: 5 });
    expect(came).toMatchObject({
      is: 'accepted',
      header: { suite: 1, asRequest: true },
      body: { text: 'hello' },
    });
    await bob.sendText(ada.address, 'hi');
    expect(await ada.receive({ wait: 5 })).toMatchObject([
      { header: { suite: 2 }, body: { text: 'hi', seq: 1 } },
    ]);
    expect(await bob.receive()).toEqual([]);
  });

  it('seals again for a key that arrived after its look, and opens copies for the previous key', async () => {
    const [ada, bob] = await two();
    await bob.renewSealKey();
    await bob.renewSealKey();
    await ada.sendText(bob.address, 'to the third key');
    expect(seen(await bob.receive({ wait: 5 }))).toEqual([['to the third key', 'signed']]);
  });

  it('copies its messages to its own other device', async () => {
    const [ada, bob] = await two();
    const other = signingKey();
    await ada.changeDevices({ devices: devicesOfNext(ada.device.list, [{ key: other.key }]) });
    const second = await ada.another(other);
    await ada.sendText(bob.address, 'from the first device');
    const copy = only(await second.receive({ wait: 5 }));
    expect(copy).toMatchObject({
      is: 'accepted',
      body: { peer: bob.address, text: 'from the first device' },
    });
  });

  it('is not shown messages of an API key before the list allows them', async () => {
    const [ada, bob] = await two();
    await allowPrograms(ada.relay);
    const program = await KeyProgram.open(new Relay(relay.url, await makeApiKey(ada.relay, 'A script')));
    await program.send(bob.address, { kind: 'text', text: 'too early' });
    expect(seen(await bob.receive({ wait: 5 }))).toEqual([['set_aside', 'unsigned_not_allowed']]);
    await ada.changeDevices({ devices: devicesOfNext(ada.device.list), unsigned: ['api'] });
    await program.send(bob.address, { kind: 'text', text: 'allowed' });
    expect(seen(await bob.receive({ wait: 5 }))).toEqual([['allowed', 'api']]);
  });

  it('requests missing messages, and gets them again', async () => {
    let ahead = 0;
    const [ada, bob] = await Promise.all([open(), open({ now: () => Date.now() + ahead })]);
    await bob.sendText(ada.address, 'write to me');
    await ada.receive({ wait: 5 });
    await ada.sendText(bob.address, 'one');
    await bob.receive({ wait: 5 });
    await ada.sendText(bob.address, 'two');
    const { envelopes } = await readInbox(bob.relay, bob.device.key.id, { wait: 5 });
    await acknowledge(bob.relay, bob.device.key.id, [only(envelopes).id]);
    await ada.sendText(bob.address, 'three');
    expect(seen(await bob.receive({ wait: 5 }))).toEqual([['three', 'signed']]);
    expect(await bob.requestMissing()).toBe(0);
    ahead = 121_000;
    await bob.receive();
    expect(await bob.requestMissing()).toBe(1);
    expect(seen(await ada.receive({ wait: 5 }))).toEqual([['receipt', 'signed']]);
    expect(seen(await bob.receive({ wait: 5 }))).toEqual([['two', 'signed']]);
    expect(bob.memory.gaps(ada.address).receipt(ada.device.key.id)).toEqual({
      from: 1,
      upTo: 3,
      missing: [],
    });
  });
});

describe('in groups', () => {
  it('joins in every way, posts, leaves, and returns with a ticket', async () => {
    const [ada, bob] = await two();
    const id = await createGroup(ada, { name: 'Walkers', password: 'correct horse' });
    await joinGroup(bob, id, { password: 'correct horse' });
    const posted = await bob.postText(id, 'by password');
    expect(posted).toMatchObject({ blocked: [], results: [{ status: 'accepted' }] });
    expect(seen(await ada.receive({ wait: 5 }))).toEqual([['by password', 'signed']]);
    await leaveGroup(bob, id);
    await changeGroup(ada, id, { join: 'invite' });
    await expect(joinGroup(bob, id, { password: 'correct horse' })).rejects.toMatchObject({
      code: 'roster_refused',
    });
    await joinGroup(bob, id, { ticket: inviteTo(ada, id, bob.address, DAY_MS) });
    const { key, link } = newLink(timeOf(Date.now() + DAY_MS));
    await changeGroup(ada, id, { links: [link], admins: [bob.address] });
    const cleo = await open();
    await joinGroup(cleo, id, { link: key });
    await changeGroup(bob, id, { remove: [cleo.address] });
    const { state } = await readChain(ada.relay, ada.memory, id, Date.now());
    expect(membersOf(state).toSorted()).toEqual([ada.address, bob.address].toSorted());
    await expect(joinGroup(cleo, id, { link: key })).rejects.toMatchObject({ reason: 'ticket_needed' });
  });

  it('transfers the group, which ends its bots', async () => {
    const [ada, bob] = await two();
    const id = await createGroup(ada, { name: 'Builds', join: 'open' });
    await joinGroup(bob, id, 'open');
    const seed = randomBytes(32);
    const { secret } = await createToken(ada.relay, id, 'ci');
    await changeGroup(ada, id, { bots: [{ key: signingKey(seed).key, name: 'ci' }] });
    const bot = await BotProgram.open(new Relay(relay.url, secret), `wxb_${seed.toString('base64url')}`);
    await bot.post({ kind: 'text', text: 'green' });
    const unsigned = await BotProgram.open(new Relay(relay.url, secret), null);
    await unsigned.post({ kind: 'text', text: 'by nobody' });
    expect(seen(await bob.receive({ wait: 5 }))).toEqual([
      ['green', 'ci'],
      ['set_aside', 'unsigned_bots_not_allowed'],
    ]);
    const { state } = await changeGroup(ada, id, { creator: bob.address });
    expect([state.creator, state.bots]).toEqual([bob.address, []]);
    await expect(bot.post({ kind: 'text', text: 'late' })).rejects.toThrow('unauthorized');
  });

  it('posts an entry that it received from a member, and seals nothing after proof of two chains', async () => {
    const [ada, bob] = await two();
    const cleo = await open();
    const id = await createGroup(ada, { name: 'Split', join: 'open' });
    for (const member of [bob, cleo]) await joinGroup(member, id, 'open');
    await readChain(ada.relay, ada.memory, id, Date.now());
    await changeGroup(ada, id, { admins: [cleo.address] });
    await readChain(cleo.relay, cleo.memory, id, Date.now());
    const end = lastEntry(cleo.memory.group(id).state);
    const hello = (entry: object) => ({
      kind: 'hello',
      group: id,
      roster: { epoch: end?.epoch, hash: end?.hash },
      entries: [entry],
    });
    const entryBy = (who: Client, name: string) =>
      signEntry(signerOf(who.device), id, lastEntry(who.memory.group(id).state), Date.now(), {
        kind: 'change',
        name,
      });

    const beside = entryBy(cleo, 'Beside');
    const followed = entryBy(ada, 'Followed');
    await ada.send(bob.address, hello(followed));
    await bob.receive({ wait: 5 });
    expect(bob.memory.group(id).state.name).toBe('Followed');
    await bob.postText(id, 'one chain');

    await cleo.send(bob.address, hello(beside));
    await bob.receive({ wait: 5 });
    expect(bob.memory.group(id).split).toEqual(beside);
    await expect(bob.postText(id, 'two chains')).rejects.toThrow('split');
  });
});

it('believes a list in a hello, and seals nothing until the relay shows it', async () => {
  const [ada, bob] = await two();
  await ada.sendText(bob.address, 'hello');
  await bob.receive({ wait: 5 });
  await publishList(ada.relay, ada.device);
  await ada.changeDevices({ devices: devicesOfNext(ada.device.list), unsigned: ['api'] });
  await ada.send(bob.address, ada.hello(1));
  const judged = await bob.receive({ wait: 5 });
  expect(judged).toMatchObject([{ is: 'accepted', content: { kind: 'hello' } }]);
  expect(bob.memory.of(ada.address).pin).toEqual(ada.device.list);
  await bob.sendText(ada.address, 'to the second list');
  expect(await ada.receive({ wait: 5 })).toMatchObject([{ header: { recipientListSequence: 2 } }]);
});
