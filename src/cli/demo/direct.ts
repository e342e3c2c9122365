/**
 * The specification's typical client flow: one person writes to another with an API key.
 */
import { authorOf, newMessageId, sealHere, textBody } from '../../client/sealing.ts';
import { sealFor } from '../../messaging/sending/seal.ts';
import { signPayload } from '../../messaging/sending/signed-payload.ts';
import { listReferenceOf } from '../../protocol/device-list.ts';
import { HEADER_BYTES, TAG_BYTES } from '../../protocol/envelope-form.ts';
import { ML_KEM_CIPHERTEXT_BYTES } from '../../protocol/ml-kem/ml-kem.ts';
import { type Person, receive, refusalOf, short } from './person.ts';
import type { Transcript } from './transcript.ts';

const QUESTION = 'Hello Bob, can the relay read this?';
const ANSWER = 'No. It carried bytes. Only my device could open them.';

export async function showDirectMessages(transcript: Transcript, alice: Person, bob: Person): Promise<void> {
  await transcript.heading('The typical client flow');
  const me = await alice.client.me();
  const { prefix, type, entitlements } = me.credential;
  await transcript.step('Create an API key', `${prefix}…, for ${entitlements.join(', ')}`);
  await transcript.step('GET /api/v1/me', `${short(me.address)} is @${me.handle}, calling with an ${type}`);

  const { address } = await alice.client.resolve('@bob_demo');
  await transcript.step('GET /api/v1/handles/bob_demo', short(address));

  const bobsKeys = await alice.client.keys(address);
  const devices = bobsKeys.deviceList.devices.length;
  await transcript.step(`GET /api/v1/keys/${short(address)}`, `${devices} device, certified by Bob's wallet`);

  // The steps of RelayClient.send, shown separately.
  const from = alice.identity.address;
  const { deviceList } = alice.identity;
  if (!deviceList) throw new Error('Alice is registered by now');
  const author = authorOf(from, alice.identity);
  const text = textBody(newMessageId(), from, { peer: address }, QUESTION, Date.now());
  const payload = signPayload({ ...text, seq: 1, list: listReferenceOf(from, deviceList) }, author);
  const flags = { asRequest: true, automated: false };
  const { directory } = alice.client;
  const { copies } = await sealFor({ author, seal: sealHere, directory }, [bobsKeys], payload, flags);
  const [envelope] = copies;
  if (!envelope) throw new Error('Bob has no device that could read a message');
  await transcript.step(
    'Seal locally',
    `${QUESTION.length} characters became ${sizeOf(envelope.ciphertext)}`,
  );

  const accepted = await alice.client.api.call('sendEnvelopes', { body: envelope });
  if (!('id' in accepted)) throw new Error('the relay did not accept the envelope');
  await transcript.step('POST /api/v1/envelopes', `201 ${accepted.id.slice(0, 12)}…, durable`);
  const question = await receive(bob, QUESTION, 'signed');
  await transcript.step('GET /api/v1/inbox, opened locally', `“${question.text}”  signed by Alice’s device`);

  await bob.client.reply(question, ANSWER);
  const answer = await receive(alice, ANSWER, 'signed');
  await transcript.line('Bob replies, Alice opens', `“${answer.text}”  signed by Bob’s device`);

  const plain = { ...envelope, ciphertext: Buffer.from(QUESTION).toString('base64url') };
  const refusal = await refusalOf(alice.client.api.call('sendEnvelopes', { body: plain }));
  await transcript.line('Plaintext instead of ciphertext', refusal);
}

function sizeOf(base64Url: string): string {
  const bytes = Math.floor((base64Url.length * 3) / 4);
  const parts = `${HEADER_BYTES} of header, ${ML_KEM_CIPHERTEXT_BYTES} of ML-KEM, the text padded, a tag of ${TAG_BYTES}`;
  return `${bytes} sealed bytes (${parts})`;
}
