/**
 * `waxwing demo`: the specification's typical client flow, for real, against a relay of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { RelayClient } from '../../client/client.ts';
import { RelayHttp } from '../../client/http.ts';
import { SecretCredential } from '../../client/session.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { HEADER_BYTES } from '../../protocol/envelope.ts';
import type { AddressKeys } from '../../protocol/schemas/directory.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import { startRelay } from '../../relay/index.ts';
import { Participant } from '../demo/participant.ts';

const QUESTION = 'Hello Bob, can the relay read this?';
const ANSWER = 'No. It carried bytes. Only my device could open them.';
const HOLD_SECONDS = 10;

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
  await alice.account.call('putDeveloperAccess', { body: { enabled: true } });
  const key = await alice.account.call('createApiKey', { body: { name: 'demo' } });
  step(1, 'Create an API key', `${key.prefix}…, for ${key.entitlements.join(', ')}`);
  const api = new RelayClient(new RelayHttp(url), new SecretCredential(key.secret));

  const me = await api.me();
  step(2, 'GET /api/v1/me', `${short(me.address)} is @${me.handle}, calling with an ${me.credential.type}`);

  const handle = await api.handle('bob_demo');
  if (!handle) throw new Error('the relay does not know @bob_demo');
  step(3, 'GET /api/v1/handles/bob_demo', short(handle.address));

  const bobsKeys = await requireKeys(api, handle.address);
  step(
    4,
    `GET /api/v1/keys/${short(handle.address)}`,
    `${bobsKeys.deviceKeys.length} device, certified by Bob's wallet`,
  );

  const [envelope] = alice.seal(QUESTION, bobsKeys, true);
  if (!envelope) throw new Error('Bob has no device that could read a message');
  step(5, 'Seal locally', `${QUESTION.length} characters became ${byteLength(envelope.ciphertext)}`);

  const accepted = await api.call('sendEnvelopes', { body: envelope });
  if (!('id' in accepted)) throw new Error('the relay did not accept the envelope');
  step(6, 'POST /api/v1/envelopes', `201 ${accepted.id.slice(0, 12)}…, durable`);

  heading('The recipient');
  const received = await receive(bob);
  say(`GET /api/v1/inbox      an envelope from ${short(received.from)}, sent with an ${received.via}`);
  const question = bob.open(received, await requireKeys(bob.account, received.from));
  say(
    `Open locally           “${question.text}”  ${question.signed ? 'signed by Alice’s device' : 'not signed'}`,
  );
  await bob.account.acknowledge(bob.deviceId, [received.id]);
  say('POST /api/v1/inbox/ack done, it is gone from the relay');

  heading('The answer');
  const answers = bob.seal(ANSWER, await requireKeys(bob.account, alice.address), false);
  await bob.account.sendEnvelopes(answers);
  say(`Bob seals for Alice's device and sends`);
  const returned = await receive(alice);
  const answer = alice.open(returned, await requireKeys(alice.account, returned.from));
  await alice.account.acknowledge(alice.deviceId, [returned.id]);
  say(`Alice opens            “${answer.text}”  ${answer.signed ? 'signed by Bob’s device' : 'not signed'}`);

  if (question.text !== QUESTION || answer.text !== ANSWER || !question.signed || !answer.signed) {
    throw new Error('what arrived is not what was sent');
  }
  console.log('\nBoth messages arrived sealed, proven and once.');
}

/** A new identity, logged in at the relay, with a certified device and a handle. */
async function enter(url: string, name: string, handle: string): Promise<Participant> {
  const participant = new Participant(url);
  await participant.publishDevice();
  await participant.account.claimHandle(handle);
  say(`${name.padEnd(6)} ${toChecksumAddress(participant.address)}  @${handle}`);
  return participant;
}

async function receive(participant: Participant): Promise<InboxEnvelope> {
  const { envelopes } = await participant.account.inbox(participant.deviceId, {
    limit: 1,
    wait: HOLD_SECONDS,
  });
  const [envelope] = envelopes;
  if (!envelope) throw new Error('nothing arrived');
  return envelope;
}

async function requireKeys(client: RelayClient, address: string): Promise<AddressKeys> {
  const keys = await client.keys(address);
  if (!keys) throw new Error(`${address} has no devices`);
  return keys;
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
