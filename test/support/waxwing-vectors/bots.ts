/** Bots with their own keys, and their signatures. */

import { botIdOf, readBotSecret } from '../../../src/protocol/bots.ts';
import { importEd25519, sha256 } from '../../../src/protocol/crypto.ts';
import { concatBytes, encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { encodePayload, type GroupBody } from '../../../src/protocol/payload.ts';
import { encodeFrame } from '../../../src/protocol/payload-frame.ts';
import { encodeBotPayload } from '../bot-payload.ts';
import { fixedBytes, fixedDevice, fixedWallet } from '../identities.ts';
import { hex } from '../vectors.ts';

const SECRET = `wxb_${encodeBase64Url(fixedBytes(0x41))}`;

export function botVectors() {
  const key = readBotSecret(SECRET);
  if (!key) throw new Error('this is a secret');
  const other = importEd25519(fixedBytes(0x42));
  const body: GroupBody = {
    id: encodeBase64Url(fixedBytes(0x0b).subarray(0, 16)),
    sender: fixedWallet(0x11).address,
    sentAt: '2026-11-20T20:00:00.000Z',
    seq: 0,
    kind: 'text',
    groupId: encodeBase64Url(fixedBytes(0x0c).subarray(0, 16)),
    roster: { epoch: 7, hash: encodeBase64Url(fixedBytes(0x71)) },
    text: 'The nightly build is green.',
  };
  const payload = encodeBotPayload(body, key);
  const bodyBytes = payload.subarray(91);
  const flipped = (place: number) => hex(payload.with(place, (payload[place] ?? 0) ^ 1));
  const device = fixedDevice(0x21);
  const list = { sequence: 1, hash: encodeBase64Url(fixedBytes(0x51)) };
  return {
    secret: SECRET,
    seed: hex(fixedBytes(0x41)),
    publicKey: encodeBase64Url(key.publicKey),
    botId: botIdOf(key.publicKey),
    notSecrets: [
      { why: 'nothing', secret: '' },
      { why: 'a group token', secret: SECRET.replace('wxb_', 'gtk_live_') },
      { why: 'one character is missing', secret: SECRET.slice(0, -1) },
      { why: 'one character too many', secret: `${SECRET}A` },
      { why: 'stray bits at the end', secret: `${SECRET.slice(0, -1)}F` },
      { why: 'white space', secret: ` ${SECRET}` },
    ],
    bots: [
      { key: encodeBase64Url(other.publicKey), name: 'Weather' },
      { key: encodeBase64Url(key.publicKey), name: 'Builds' },
    ],
    payload: {
      body: new TextDecoder().decode(bodyBytes),
      bodyHash: hex(sha256(bodyBytes)),
      signedBytes: hex(concatBytes(encodeUtf8('waxwing/payload/v2SEALEDGRP'), sha256(bodyBytes))),
      signature: hex(payload.subarray(27, 91)),
      payload: hex(payload),
      signedBy: 'Builds',
    },
    notSigned: [
      { why: 'one bit of the body is another', payload: flipped(payload.length - 5) },
      { why: 'one bit of the signature is another', payload: flipped(30) },
      { why: 'the id of another bot', payload: flipped(11) },
      {
        why: 'a bot that the roster does not name',
        payload: hex(encodeBotPayload(body, importEd25519(fixedBytes(0x43)))),
      },
      {
        why: 'a direct message',
        payload: hex(encodeFrame('direct', encodeUtf8(JSON.stringify(body)), { kind: 'bot', key })),
      },
      {
        why: 'signed as a device',
        payload: hex(encodeFrame('group', bodyBytes, { kind: 'device', key })),
      },
      {
        why: 'a device, with the number of a bot in `auth`',
        payload: hex(encodePayload({ channel: 'group', body }, { deviceKey: device.key, list }).with(10, 2)),
      },
      { why: 'unsigned', payload: hex(encodePayload({ channel: 'group', body }, null)) },
    ],
    malformed: [
      { why: 'another number in `auth`', payload: hex(payload.with(10, 3)) },
      { why: 'cut off inside the signature', payload: hex(payload.subarray(0, 90)) },
    ],
  };
}
