/**
 * A whole program that seals and sends, shown on the page: node:crypto and nothing else. A test extracts it from the
 * page and runs it.
 */

export const PROGRAM_NAME = 'send.mjs';

export const PROGRAM = `// send.mjs: seals a text and sends it. Node 20 or later, no packages.
//
//   node send.mjs @bob "Hello"                     with WAXWING_RELAY and WAXWING_API_KEY
//   node send.mjs --group ID "Version 2.4 is out"  with WAXWING_GROUP_TOKEN and WAXWING_BOT_KEY, which signs
//
// Members see a post by a token alone only if their group allows it: --unsigned posts without WAXWING_BOT_KEY.
import {
  createCipheriv, createHash, createHmac, createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync,
  randomBytes, sign,
} from 'node:crypto';

const { WAXWING_RELAY, WAXWING_API_KEY, WAXWING_GROUP_TOKEN, WAXWING_BOT_KEY } = process.env;
const isUnsigned = process.argv.includes('--unsigned');
const args = process.argv.slice(2).filter((arg) => arg !== '--unsigned');
const isGroup = args[0] === '--group';
const [recipient, message] = isGroup ? args.slice(1) : args;
const secret = (isGroup && WAXWING_GROUP_TOKEN) || WAXWING_API_KEY;
const botKey = isGroup && !isUnsigned ? WAXWING_BOT_KEY : undefined;

function stop(sentence) {
  console.error(sentence);
  process.exit(2);
}
if (!URL.canParse(WAXWING_RELAY ?? '')) stop('Set WAXWING_RELAY to the address of the relay.');
if (!/^(sk|gtk)_live_[\\w-]{43}$/.test(secret ?? '')) stop('Set WAXWING_API_KEY, or WAXWING_GROUP_TOKEN for a group.');
const length = Buffer.byteLength(message ?? '');
if (!recipient || length < 1 || length > 16384 || args.length > (isGroup ? 3 : 2)) {
  stop('Give a handle, or --group and the id of a group, and a text of 1 to 16,384 bytes.');
}
if (isGroup && WAXWING_GROUP_TOKEN && !isUnsigned && !/^wxb_[\\w-]{43}$/.test(botKey ?? '')) {
  stop('Set WAXWING_BOT_KEY, which was shown with the token. Without it members see nothing, unless their group allows '
    + 'posts by a token alone: then give --unsigned.');
}

const utf8 = (text) => Buffer.from(text, 'utf8');
const fromBase64url = (text) => Buffer.from(text, 'base64url');
const addressBytes = (address) => Buffer.from(address.slice(2), 'hex');
const EMPTY = Buffer.alloc(0);

// RFC 9180, section 4: LabeledExtract and LabeledExpand with HKDF-SHA256. All outputs have 32 bytes.
const VERSION = utf8('HPKE-v1');
const KEM = Buffer.concat([utf8('KEM'), Buffer.from([0x00, 0x20])]);
const HPKE = Buffer.concat([utf8('HPKE'), Buffer.from([0x00, 0x20, 0x00, 0x01, 0x00, 0x02])]);
const hmac = (key, ...parts) => createHmac('sha256', key).update(Buffer.concat(parts)).digest();
const extract = (suite, salt, label, input) => hmac(salt, VERSION, suite, utf8(label), input);
const expand = (suite, key, label, ...info) =>
  hmac(key, Buffer.from([0, 32]), VERSION, suite, utf8(label), ...info, Buffer.from([1]));

// The payload, 0x80, and zeros up to 256, 512, 1024, 2048 or 4096 bytes, then to the next step of Padmé.
function pad(payload) {
  const needed = payload.length + 1;
  const exponent = Math.floor(Math.log2(needed));
  const step = needed <= 4096 ? 0 : 2 ** (exponent - Math.floor(Math.log2(exponent)) - 1);
  const length = step === 0
    ? Math.max(256, 2 ** Math.ceil(Math.log2(needed)))
    : Math.ceil(needed / step) * step;
  return Buffer.concat([payload, Buffer.from([0x80])], length);
}

// One copy, for one device. Every copy has an ephemeral key and a nonce of its own.
function seal({ from, to, recipientKey, payload }) {
  const ephemeral = generateKeyPairSync('x25519');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: recipientKey }, format: 'jwk' });
  const enc = fromBase64url(ephemeral.publicKey.export({ format: 'jwk' }).x);
  const dh = diffieHellman({ privateKey: ephemeral.privateKey, publicKey });

  // RFC 9180: the shared secret (4.1), the key schedule (5.1), and of it an exported key (5.3).
  const sharedSecret = expand(
    KEM, extract(KEM, EMPTY, 'eae_prk', dh), 'shared_secret', enc, fromBase64url(recipientKey),
  );
  const info = Buffer.concat([utf8('waxwing/seal/v1'), addressBytes(from), addressBytes(to)]);
  const context = Buffer.concat([
    Buffer.from([0]), extract(HPKE, EMPTY, 'psk_id_hash', EMPTY), extract(HPKE, EMPTY, 'info_hash', info),
  ]);
  const secret = extract(HPKE, sharedSecret, 'secret', EMPTY);
  const exporterSecret = expand(HPKE, secret, 'exp', context);
  const key = expand(HPKE, exporterSecret, 'sec', utf8('waxwing/seal/v1/key'));

  const header = Buffer.alloc(12);
  header.set([1, 1, 2]); // version, suite, flags: written by a program
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(header);
  const sealed = Buffer.concat([header, cipher.update(pad(payload)), cipher.final(), cipher.getAuthTag()]);
  return {
    toAddress: to,
    recipientDeviceKey: recipientKey,
    ciphertext: sealed.toString('base64url'),
    ephemeralPublicKey: enc.toString('base64url'),
    nonce: nonce.toString('base64url'),
  };
}

// Sealed bytes: label, version 2, and the signer: 0 for none, or 2, the bot's id and its signature.
function payloadOf(label, fields) {
  const id = randomBytes(16).toString('base64url');
  const body = utf8(JSON.stringify({ id, sentAt: new Date().toISOString(), seq: 0, kind: 'text', ...fields }));
  return Buffer.concat([utf8(label), Buffer.from([2]), botKey ? signedByBot(label, body) : Buffer.from([0]), body]);
}

function signedByBot(label, body) {
  const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
  // An Ed25519 key as PKCS #8: a fixed beginning, then the 32 bytes of the seed.
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), fromBase64url(botKey.slice(4))]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const publicKey = fromBase64url(createPublicKey(key).export({ format: 'jwk' }).x);
  const signature = sign(null, Buffer.concat([utf8('waxwing/payload/v2' + label), sha256(body)]), key);
  return Buffer.concat([Buffer.from([2]), sha256(publicKey).subarray(0, 16), signature]);
}

async function call(method, path, body) {
  const response = await fetch(new URL('/api/v1' + path, WAXWING_RELAY), {
    method,
    headers: {
      authorization: 'Bearer ' + secret,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  // A proxy in front of the relay gives only a status.
  const answer = await response.json().catch(() => null);
  if (answer && response.ok) return answer;
  if (answer?.code) throw new Error(answer.code + ': ' + answer.detail);
  throw new Error('The answer has the status ' + response.status + ', and is not that of a relay.');
}

async function sendToPerson(handle, text) {
  const { address: from } = await call('GET', '/me');
  const { address: to } = await call('GET', '/handles/' + encodeURIComponent(handle));
  const { deviceKeys } = await call('GET', '/keys/' + to);
  const payload = payloadOf('SEALEDMSG', { sender: from, peer: to, text });
  const envelopes = deviceKeys.map((recipientKey) => seal({ from, to, recipientKey, payload }));
  return call('POST', '/envelopes', { envelopes });
}

async function sendToGroup(id, text) {
  const { address: from } = await call('GET', '/me'); // with a group token: the group's creator
  const group = await call('GET', '/groups/' + encodeURIComponent(id));
  // The newest entry of the group's chain: recipients compare it with the chain that they know.
  const payload = payloadOf('SEALEDGRP', { sender: from, groupId: id, roster: group.roster, text });
  const envelopes = Object.entries(group.memberDeviceKeys).flatMap(([to, keys]) =>
    keys.map((recipientKey) => seal({ from, to, recipientKey, payload })));
  return call('POST', '/groups/' + encodeURIComponent(id) + '/envelopes', { envelopes });
}

try {
  const answer = await (isGroup ? sendToGroup(recipient, message) : sendToPerson(recipient, message));
  console.log(JSON.stringify(answer, null, 2));
  // A device with a full queue does not matter while another one has a copy.
  if (answer.results.every(({ status }) => status === 'rejected')) {
    console.error('The relay refused every copy.');
    process.exitCode = 1;
  }
} catch (error) {
  console.error(error.cause ? 'The relay cannot be reached: ' + error.cause.message : error.message);
  process.exitCode = 1;
}
`;
