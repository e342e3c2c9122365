/**
 * `waxwing demo`: the specification's typical client flow, for real, against a relay of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Identity, type Message, RelayClient } from '../../client/index.ts';
import { encodeText, newMessageId, sealCopies } from '../../client/sealing.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { HEADER_BYTES } from '../../protocol/envelope.ts';
import { startRelay } from '../../relay/index.ts';

const QUESTION = 'Hello Bob, can the relay read this?';
const ANSWER = 'No. It carried bytes. Only my device could open them.';

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('two identities exchange sealed messages through a relay of their own, step by step')
    .addHelpText(
      'after',
      '\nExample:\n  $ waxwing demo\n\nNothing is kept: the relay and its data are gone at the end.',
    )
    .action(runDemo);
}

async function runDemo(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-demo-'));
  const relay = await startRelay({ dataDirectory: folder, name: 'Demo' });
  try {
    await walkThrough(relay.url);
  } finally {
    await relay.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function walkThrough(url: string): Promise<void> {
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
  await bobsInbox.return();
  say(`Bob seals for Alice's device and sends`);
  const answer = await next(client.messages());
  say(`Alice opens            “${answer.text}”  ${proofOf(answer, 'Bob')}`);

  const proven = question.proof === 'signed' && answer.proof === 'signed';
  if (question.text !== QUESTION || answer.text !== ANSWER || !proven) {
    throw new Error('what arrived is not what was sent');
  }
  console.log('\nBoth messages arrived sealed, proven and once.');
}

/** A new identity, logged in at the relay, with a certified device, a handle and an API key. */
async function enter(url: string, name: string, handle: string): Promise<Identity> {
  const identity = Identity.create();
  await identity.register(url, { handle, keyName: 'demo' });
  say(`${name.padEnd(6)} ${toChecksumAddress(identity.address)}  @${handle}`);
  return identity;
}

async function next(messages: AsyncGenerator<Message, void>): Promise<Message> {
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
  console.log(`\n${text}`);
}

function say(text: string): void {
  console.log(`  ${text}`);
}

function step(number: number, what: string, outcome: string): void {
  console.log(`  ${number}  ${what.padEnd(34)} ${outcome}`);
}
