/**
 * `waxwing demo`: the specification's typical client flow, for real, against a relay of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Identity, type Message, RelayClient, RelayRefusal } from '../../client/index.ts';
import { encodeText, newMessageId, sealCopies } from '../../client/sealing.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { HEADER_BYTES } from '../../protocol/envelope.ts';
import { startRelay } from '../../relay/index.ts';

const QUESTION = 'Hello Bob, can the relay read this?';
const ANSWER = 'No. It carried bytes. Only my device could open them.';
const GREETING = 'A wren, by the pond!';
const REPORT = 'The nightly build is green.';

type Inbox = AsyncGenerator<Message, void>;

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('people and a bot exchange sealed messages through a relay of their own, step by step')
    .option('--json', 'print the messages that arrived, and the refusals, as JSON instead')
    .addHelpText(
      'after',
      '\nExample:\n  $ waxwing demo\n\nNothing is kept: the relay and its data are gone at the end.',
    )
    .action(runDemo);
}

/** What came of it, for programs. */
interface Report {
  relay: string;
  messages: Pick<Message, 'from' | 'groupId' | 'text' | 'proof'>[];
  refusals: { revokedToken: string; plaintext: string };
}

/** Says nothing while the outcome is to be JSON. */
let isQuiet = false;

async function runDemo({ json = false }: { json?: boolean }): Promise<void> {
  isQuiet = json;
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-demo-'));
  const relay = await startRelay({ dataDirectory: folder, name: 'Demo' });
  try {
    const report = await walkThrough(relay.url);
    if (json) console.log(JSON.stringify(report, null, 2));
  } finally {
    await relay.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function walkThrough(url: string): Promise<Report> {
  say(`A relay listens on ${url}`);
  const alice = await enter(url, 'Alice', 'alice_demo');
  const bob = await enter(url, 'Bob', 'bob_demo');

  heading('The typical client flow');
  const client = new RelayClient({ identity: alice });
  const me = await client.me();
  const { prefix, entitlements } = me.credential;
  step(1, 'Create an API key', `${prefix}…, for ${entitlements.join(', ')}`);
  step(2, 'GET /api/v1/me', `${short(me.address)} is @${me.handle}, calling with an ${me.credential.type}`);

  const { address } = await client.resolve('@bob_demo');
  step(3, 'GET /api/v1/handles/bob_demo', short(address));

  const bobsKeys = await client.keys(address);
  const devices = bobsKeys.deviceList.devices.length;
  step(4, `GET /api/v1/keys/${short(address)}`, `${devices} device, certified by Bob's wallet`);

  const from = alice.address;
  const payload = encodeText({
    id: newMessageId(),
    text: QUESTION,
    from,
    destination: { peer: address },
    identity: alice,
  });
  const options = { from, to: address, asRequest: true, automated: false, identity: alice };
  const [envelope] = sealCopies(payload, bobsKeys, options);
  if (!envelope) throw new Error('Bob has no device that could read a message');
  step(5, 'Seal locally', `${QUESTION.length} characters became ${byteLength(envelope.ciphertext)}`);

  const accepted = await client.api.call('sendEnvelopes', { body: { ...envelope, asRequest: true } });
  if (!('id' in accepted)) throw new Error('the relay did not accept the envelope');
  step(6, 'POST /api/v1/envelopes', `201 ${accepted.id.slice(0, 12)}…, durable`);

  heading('The recipient');
  const bobsClient = new RelayClient({ identity: bob });
  const bobsInbox = bobsClient.messages();
  const question = await next(bobsInbox);
  say(`GET /api/v1/inbox      an envelope from ${short(question.from)}`);
  say(`Open locally           “${question.text}”  ${proofOf(question, 'Alice')}`);

  heading('The answer');
  await bobsClient.reply(question, ANSWER);
  say(`Bob seals for Alice's device and sends`);
  const answer = await next(client.messages());
  say(`Alice opens            “${answer.text}”  ${proofOf(answer, 'Bob')}`);

  expectMessage(question, QUESTION, 'signed');
  expectMessage(answer, ANSWER, 'signed');
  const group = await showGroup(url, alice, bob, bobsInbox);
  await bobsInbox.return();
  const plaintext = await showRefusal(client, alice);
  heading('Every message arrived sealed, once, and for what it is.');
  const messages = [question, answer, ...group.messages].map(({ from, groupId, text, proof }) => ({
    from,
    groupId,
    text,
    proof,
  }));
  return { relay: url, messages, refusals: { revokedToken: group.refusal, plaintext } };
}

async function showGroup(
  url: string,
  alice: Identity,
  bob: Identity,
  inbox: Inbox,
): Promise<{ messages: Message[]; refusal: string }> {
  heading('A group, and a bot in it');
  const account = alice.account();
  const { id, name } = await account.call('createGroup', { body: { name: 'Bird watchers' } });
  say(`POST /api/v1/groups    Alice makes “${name}”, ${id}`);
  await bob.account().call('joinGroup', { params: { id }, body: {} });
  say('POST …/members         Bob joins');

  const sent = await new RelayClient({ identity: alice }).sendToGroup(id, GREETING);
  say(`POST …/envelopes       Alice posts: ${sent.envelopeIds.length} copy, sealed for Bob's device`);
  const greeting = await next(inbox);
  say(`Bob opens              “${greeting.text}”  ${proofOf(greeting, 'Alice')}`);

  // Members accept what a bot posts only from somebody whose wallet has allowed it.
  await alice.register(url, { allowUnsigned: ['api', 'bots'] });
  const token = await account.call('createToken', { params: { id }, body: { name: 'build bot' } });
  say(`POST …/tokens          ${token.prefix}…, for this group alone`);
  const bot = new RelayClient({ relay: url, secret: token.secret });
  await bot.sendToGroup(id, REPORT);
  say('The bot posts          with its token, from no device at all');
  const report = await next(inbox);
  say(`Bob opens              “${report.text}”  in Alice's name, via bot, not signed`);
  expectMessage(greeting, GREETING, 'signed');
  expectMessage(report, REPORT, 'bots');

  await account.call('deleteToken', { params: { id, tokenId: token.id } });
  const refusal = await refusalOf(bot.sendToGroup(id, REPORT));
  say(`DELETE …/tokens/…      the bot posts again: ${refusal}`);
  return { messages: [greeting, report], refusal };
}

async function showRefusal(client: RelayClient, alice: Identity): Promise<string> {
  heading('What the relay refuses');
  const plaintext = { toAddress: alice.address, text: 'Hello' } as never;
  const refused = await refusalOf(client.api.call('sendEnvelopes', { body: plaintext }));
  say(`{"text": "Hello"}      ${refused}`);
  return refused;
}

/** The status and code that a call is refused with. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RelayRefusal) return `${error.status} ${error.code}`;
    throw error;
  }
  throw new Error('the relay did what it should have refused');
}

function expectMessage(message: Message, text: string, proof: Message['proof']): void {
  if (message.text !== text || message.proof !== proof) throw new Error('what arrived is not what was sent');
}

/** A new identity, logged in at the relay, with a certified device, a handle and an API key. */
async function enter(url: string, name: string, handle: string): Promise<Identity> {
  const identity = Identity.create();
  await identity.register(url, { handle, keyName: 'demo' });
  say(`${name.padEnd(6)} ${toChecksumAddress(identity.address)}  @${handle}`);
  return identity;
}

async function next(messages: Inbox): Promise<Message> {
  const { value } = await messages.next();
  if (!value) throw new Error('nothing arrived');
  return value;
}

function proofOf({ proof }: Message, sender: string): string {
  return proof === 'signed' ? `signed by ${sender}’s device` : 'not signed';
}

function byteLength(base64Url: string): string {
  const bytes = Math.floor((base64Url.length * 3) / 4);
  return `${bytes} sealed bytes (${HEADER_BYTES} of header, the text padded, a tag of 16)`;
}

function short(address: string): string {
  return `${address.slice(0, 8)}…${address.slice(-4)}`;
}

function heading(text: string): void {
  if (!isQuiet) console.log(`\n${text}`);
}

function say(text: string): void {
  if (!isQuiet) console.log(`  ${text}`);
}

function step(number: number, what: string, outcome: string): void {
  say(`${number}  ${what.padEnd(34)} ${outcome}`);
}
