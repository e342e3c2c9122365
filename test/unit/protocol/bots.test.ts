import { expect, test } from 'vitest';
import { botIdOf, isOfBot, newBotSecret, readBotSecret } from '../../../src/protocol/bots.ts';
import { importEd25519 } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { decodePayload, PayloadError } from '../../../src/protocol/payload.ts';
import { decodeFrame } from '../../../src/protocol/payload-frame.ts';
import { encodeBotPayload } from '../../support/bot-payload.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';

interface Bad {
  why: string;
  payload: string;
}
const vectors = readVectors<{
  secret: string;
  publicKey: string;
  botId: string;
  notSecrets: { why: string; secret: string }[];
  bots: { key: string; name: string }[];
  payload: { body: string; payload: string; signedBy: string };
  notSigned: Bad[];
  malformed: Bad[];
}>('waxwing/bots.json');
/** The bot that signed a payload of a group; null for none. */
function signerOf(payload: string): { name: string } | null {
  const { channel, signer, isSignedBy } = decodeFrame(bytes(payload));
  if (channel !== 'group' || signer?.kind !== 'bot') return null;
  return vectors.bots.find((bot) => isOfBot({ botId: signer.id, isSignedBy }, bot.key)) ?? null;
}
const key = readBotSecret(vectors.secret) ?? importEd25519(new Uint8Array(32));

test('derives key and id from a bot’s secret and refuses other texts', () => {
  expect(encodeBase64Url(key.publicKey)).toBe(vectors.publicKey);
  expect(botIdOf(key.publicKey)).toBe(vectors.botId);
  for (const { why, secret } of vectors.notSecrets) expect(readBotSecret(secret), why).toBeNull();
  expect(newBotSecret()).toMatch(/^wxb_[A-Za-z0-9_-]{43}$/);
  expect(readBotSecret(newBotSecret())).not.toBeNull();
});

test('signs the published payload, recognized as that bot’s', () => {
  const { body, payload, signedBy } = vectors.payload;
  expect(hex(encodeBotPayload(JSON.parse(body), key))).toBe(payload);
  expect(decodeFrame(bytes(payload)).signer).toEqual({ kind: 'bot', id: vectors.botId });
  expect(signerOf(payload)?.name).toBe(signedBy);
});

test.each(vectors.notSigned)('finds no bot of the group: $why', ({ payload }) => {
  expect(signerOf(payload)).toBeNull();
});

test.each(vectors.malformed)('refuses a payload: $why', ({ payload }) => {
  expect(() => decodeFrame(bytes(payload))).toThrow(PayloadError);
});

test('a bot numbers no messages, is not a device, and writes only into groups', () => {
  const decoded = decodePayload(bytes(vectors.payload.payload));
  expect(decoded).toMatchObject({ channel: 'group', deviceId: null, botId: vectors.botId });
  const direct = vectors.notSigned.find(({ why }) => why === 'a direct message')?.payload ?? '';
  expect(() => decodePayload(bytes(direct))).toThrow(PayloadError);
});
