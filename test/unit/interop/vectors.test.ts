import { describe, expect, test } from 'vitest';
import { botKey, signingBot } from '../../interop/bots.ts';
import { bytesText, fromBase64url, fromHex, toBase64url, toHex } from '../../interop/bytes.ts';
import { contentOf } from '../../interop/contents.ts';
import {
  type DeviceList,
  isProven,
  listHash,
  listText,
  proveList,
  readDeviceList,
  signNextList,
} from '../../interop/device-list.ts';
import { isText, msOf } from '../../interop/forms.ts';
import { answerTo, Gaps, isCounted } from '../../interop/gaps.ts';
import { publicHalves2 } from '../../interop/hpke.ts';
import { isSigned, signingKey, x25519Public } from '../../interop/keys.ts';
import { freshness, judgeEvidence, seeList, seeSealKeys, unknownAddress } from '../../interop/known.ts';
import { isThatDevice, isWaiting, linkCode, readLinkCode, whyNotJoin } from '../../interop/linking.ts';
import { challengeText, deviceLogin, readChallenge, sessionBytes, walletLogin } from '../../interop/login.ts';
import { type Channel, decodePayload, encodeBytes, isSignedUnder } from '../../interop/payload.ts';
import { AcceptedMessages, countsAsReceived, REMEMBER_MS, timesCount } from '../../interop/replay.ts';
import { mayBeSent } from '../../interop/rights.ts';
import {
  fitsDigest,
  isSealKey,
  isUsable,
  type SealKey,
  statementBytes,
  statementHash,
} from '../../interop/seal-key.ts';
import { isSignedByWallet, walletOf } from '../../interop/wallet.ts';
import { all, readVectors } from './read-vectors.ts';

/**
 * Known answers of Waxwing's format, reproduced by the client of test/interop. Sealing is in sealing-vectors.test.ts,
 * groups in rosters.test.ts.
 */

describe('devices.json', () => {
  const { now, address, walletKey, deviceSeeds, chain, badLists, sealKeys, sessionRenewal } =
    readVectors('devices');
  const at = msOf(now);
  test.each(all(chain))('list $deviceList.sequence', async ({ text, hash, deviceList }) => {
    expect(listText(address, deviceList)).toBe(text);
    expect(listHash(address, deviceList)).toBe(hash);
    await proveList(address, readDeviceList(deviceList), at);
  });
  test('the first list is signed again', async () => {
    const wallet = walletOf(fromHex(walletKey));
    const { key } = signingKey(fromHex(deviceSeeds[0]));
    const { validUntil } = chain[0].deviceList.devices[0];
    const list = await signNextList(wallet, null, { devices: [{ key, validUntil }] }, at);
    expect(list).toEqual(chain[0].deviceList);
  });
  test.each(all(badLists))('refused: $why', async ({ deviceList }) => {
    expect(await isProven(address, deviceList, at)).toBe(false);
  });
  test('the statement of a seal key', () => {
    expect(toHex(statementBytes(address, sealKeys.sealKey))).toBe(sealKeys.signedBytes);
    expect(isUsable(address, chain[0].deviceList, sealKeys.sealKey, at)).toBe(true);
    const key = toBase64url(x25519Public(fromHex(sealKeys.sealKeySecret)));
    expect(key).toBe(sealKeys.sealKey.key);
  });
  test.each(all(sealKeys.negative))('refused: $why', ({ sealKey }) => {
    expect(isUsable(address, chain[0].deviceList, sealKey, at)).toBe(false);
  });
  test('the renewal of a session', () => {
    const { domain, deviceSeed, signedBytes, request } = sessionRenewal;
    const device = signingKey(fromHex(deviceSeed));
    expect(toHex(sessionBytes(address, device.id, request.issuedAt, domain))).toBe(signedBytes);
    expect(deviceLogin(address, device, msOf(request.issuedAt), domain)).toEqual(request);
  });
});

describe('sealkeys-v2.json', () => {
  const { now, address, device, seed, signedBytes, hash, request, negative, pqKeys, history } =
    readVectors('sealkeys-v2');
  const list = { devices: [device] } as DeviceList;
  test('the statement of both halves', async () => {
    const { pkM, pkX } = await publicHalves2(fromHex(seed));
    expect(toBase64url(pkX)).toBe(request.sealKey.key);
    expect(toBase64url(pkM)).toBe(request.pqKey);
    expect(toHex(statementBytes(address, request.sealKey))).toBe(signedBytes);
    expect(statementHash(address, request.sealKey)).toBe(hash);
    expect(isUsable(address, list, request.sealKey, msOf(now))).toBe(true);
  });
  test.each(all(negative))('refused: $why', ({ sealKey }) => {
    expect(isUsable(address, list, sealKey, msOf(now))).toBe(false);
  });
  test.each(all(pqKeys))('$why', ({ digest, key, fits }) => {
    expect(fitsDigest(digest, fromHex(key))).toBe(fits);
  });
  test.each(all(history.shown))('$why', ({ sealKey, hash: shownHash, is }) => {
    expect(isSealKey(sealKey)).toBe(true);
    expect(statementHash(address, sealKey)).toBe(shownHash);
    const seen = { sequence: history.seen.sealKey.sequence, hash: history.seen.hash };
    expect(freshness(seen, sealKey.sequence, shownHash)).toBe(is);
  });
});

describe('history.json', () => {
  const { now, address, lists, cases, sealKeys } = readVectors('history');
  const at = msOf(now);
  const named = (names: string[]): DeviceList[] => names.map((name) => lists[name]);
  const whoSaw = async (names: string[]) => {
    const known = unknownAddress(address);
    for (const list of named(names)) await seeList(known, list, [], at);
    return known;
  };
  test.each(all(cases))('$why', async ({ seen, shown, between, becomes }) => {
    const known = await whoSaw(seen);
    expect(await seeList(known, lists[shown], named(between), at)).toBe(becomes);
    expect(known.shown).toBe(seen.length === 0 || becomes !== 'behind');
    expect(known.fork).toEqual(becomes === 'fork' ? lists[shown] : null);
  });
  test.each(all(cases))('as evidence in a hello: $why', async ({ seen, shown, between, becomes }) => {
    const known = await whoSaw(seen);
    const pin = known.pin;
    const verdict = await judgeEvidence(known, [...named(between), lists[shown]], at);
    expect(verdict).toBe(seen.length === 0 ? 'nothing' : becomes);
    if (pin === null) expect(known.pin).toBeNull();
    else expect(known.shown).toBe(known.pin === pin);
  });
  test.each(all(sealKeys.cases))('a seal key: $why', async ({ seen, shown, counts }) => {
    const known = await whoSaw(['first']);
    for (const name of seen) seeSealKeys(known, [sealKeys.keys[name]], at);
    const { keys, hasOld } = seeSealKeys(known, [sealKeys.keys[shown]], at);
    expect([keys.length, hasOld]).toEqual(counts ? [1, false] : [0, true]);
  });
});

describe('login.json', () => {
  const { walletKey, challenge, text, request, negative } = readVectors('login');
  const relay = new URL('https://relay.example:8443');
  test('the text and its signature', async () => {
    const read = readChallenge(challenge, relay);
    expect(challengeText(request.address, read)).toBe(text);
    expect(await walletLogin(walletOf(fromHex(walletKey)), read)).toEqual(request);
    expect(() => readChallenge(challenge, new URL('https://relay.example'))).toThrow('another domain');
  });
  test.each(all(negative))('an invalid signature: $why', async ({ domain, now, signature }) => {
    const isHere = domain === challenge.domain && msOf(now) < msOf(challenge.expirationTime);
    expect(isHere && (await isSignedByWallet(request.address, text, signature))).toBe(false);
  });
});

describe('payloads.json', () => {
  const v = readVectors('payloads');
  test.each(['signedDirect', 'signedGroup', 'unsignedDirect', 'unsignedGroup'])('%s', (name) => {
    const { body, payload, deviceSeed, deviceKey, deviceId } = v[name];
    const channel: Channel = name.endsWith('Group') ? 'group' : 'direct';
    const signer =
      deviceSeed === undefined ? null : { by: 'device' as const, key: signingKey(fromHex(deviceSeed)) };
    expect(toHex(encodeBytes(channel, Buffer.from(body), signer))).toBe(payload);
    const read = decodePayload(fromHex(payload));
    expect(read.channel).toBe(channel);
    expect(bytesText(read.bytes)).toBe(body);
    if (signer === null) expect(read.auth).toEqual({ by: 'nobody' });
    else {
      expect(read.auth).toMatchObject({ by: 'device', deviceId: toBase64url(fromHex(deviceId)) });
      expect(isSignedUnder(read, toBase64url(fromHex(deviceKey)))).toBe(true);
    }
  });
  test.each(all(v.notSignedBy))('not signed: $why', ({ payload }) => {
    const key = toBase64url(fromHex(v.signedDirect.deviceKey));
    expect(isSignedUnder(decodePayload(fromHex(payload)), key)).toBe(false);
  });
  test.each(all(v.malformed))('malformed: $why', ({ payload }) => {
    expect(() => decodePayload(fromHex(payload))).toThrow();
  });
});

describe('bots.json', () => {
  const { secret, publicKey, botId, notSecrets, bots, payload, notSigned, malformed } = readVectors('bots');
  test('the key of a secret, and its signatures', () => {
    const key = botKey(secret);
    expect([key.key, key.id]).toEqual([publicKey, botId]);
    const encoded = encodeBytes('group', Buffer.from(payload.body), { by: 'bot', key });
    expect(toHex(encoded)).toBe(payload.payload);
    expect(signingBot(decodePayload(encoded), bots)?.name).toBe(payload.signedBy);
  });
  test.each(all(notSecrets))('no secret: $why', (v) => {
    expect(() => botKey(v.secret)).toThrow();
  });
  test.each(all(notSigned))('not signed by a bot: $why', (v) => {
    const read = () => signingBot(decodePayload(fromHex(v.payload)), bots);
    // The body of a bot has no `list`, and a direct payload has no bots: these two are malformed before.
    if (v.why === 'a direct message' || v.why === 'signed as a device') expect(read).toThrow();
    else expect(read()).toBeUndefined();
  });
  test.each(all(malformed))('malformed: $why', (v) => {
    expect(() => decodePayload(fromHex(v.payload))).toThrow();
  });
});

describe('kinds.json', () => {
  const { text, contents } = readVectors('kinds');
  test('texts', () => {
    for (const { piece, times, isText: is } of text) expect(isText(piece.repeat(times), 16_384)).toBe(is);
  });
  test.each(all(contents))('$why', ({ channel, body, as }) => {
    const content = contentOf(channel, body);
    expect('kind' in content ? content.kind : content.is).toBe(as);
  });
});

describe('rights.json', () => {
  test.each(all(readVectors('rights').cases))(
    '$why: $kind, $channel',
    ({ proof, channel, kind, mayBeSent: may }) => {
      expect(mayBeSent(proof, channel, kind)).toBe(may);
    },
  );
});

describe('replay.json', () => {
  const { rememberSeconds, received, times, repeats } = readVectors('replay');
  test.each(all(times))('$why', ({ now, sentAt, retentionSeconds, counts }) => {
    expect(timesCount(msOf(sentAt), msOf(now), retentionSeconds)).toBe(counts);
  });
  test.each(all(repeats))('$why', ({ signed, unsigned, isSigned: is, wasTaken }) => {
    const accepted = new AcceptedMessages();
    if (signed) accepted.add('a', 'b', true, 0);
    if (unsigned) accepted.add('a', 'b', false, 0);
    expect(accepted.has('a', 'b', is)).toBe(wasTaken);
    accepted.forget(REMEMBER_MS);
    expect(accepted.has('a', 'b', is)).toBe(wasTaken);
    accepted.forget(REMEMBER_MS + 1);
    expect(accepted.has('a', 'b', is)).toBe(false);
  });
  test('accepted messages are recorded for as long as ours', () => {
    expect(REMEMBER_MS).toBe(rememberSeconds * 1000);
  });
  test.each(all(received))('received: $why', ({ now, reported, previous, lastEnd, counts }) => {
    const ms = (time: string | null) => (time === null ? null : msOf(time));
    expect(countsAsReceived(msOf(reported), msOf(now), ms(previous), ms(lastEnd))).toBe(msOf(counts));
  });
});

describe('gaps.json', () => {
  const { retentionSeconds, counted, traces, answers } = readVectors('gaps');
  test.each(all(counted))('$kind by $signer', ({ kind, signer, isForOne, isCounted: is }) => {
    expect(isCounted(kind, signer, isForOne)).toBe(is);
  });
  test.each(all(traces))('$why', ({ events }) => {
    const gaps = new Gaps();
    for (const { at, device, ...event } of events) {
      const now = at * 1000;
      if (event.took !== undefined) gaps.receive(device, event.took);
      else if (event.skipped !== undefined) gaps.skipped(device, event.skipped);
      else if (event.forgotten) gaps.forget(device);
      else if (event.begins) gaps.begin(now, retentionSeconds * 1000);
      else if (event.end !== undefined) expect(gaps.end(now), `at ${at}`).toEqual(event.end);
      else expect(gaps.receipt(device), `at ${at}`).toEqual(event.says);
    }
  });
  test.each(all(answers))('$why', ({ now, retentionSeconds: retention, resealed, asked, sent, answer }) => {
    const known = new Map(
      Object.entries<{ sentAt: string; isForAsker: boolean; resealedAt: string | null }>(sent).map(
        ([seq, { sentAt, isForAsker, resealedAt }]) => [
          Number(seq),
          {
            sentAt: msOf(sentAt),
            isForRequester: isForAsker,
            resealedAt: resealedAt === null ? null : msOf(resealedAt),
          },
        ],
      ),
    );
    const at = { now: msOf(now), retentionMs: retention * 1000, resealedToday: resealed };
    expect(answerTo(asked, known, at)).toEqual(answer);
  });
});

describe('link-v2.json', () => {
  const { codes, device, badCodes, waiting, badRequests, offers } = readVectors('link-v2');
  test.each(all(codes))('$code', ({ deviceId, code }) => {
    const id = toBase64url(fromHex(deviceId));
    expect(linkCode(id)).toBe(code);
    expect(readLinkCode(code)).toBe(id);
  });
  test('other spellings of a code', () => {
    for (const spelling of device.alsoRead) expect(readLinkCode(spelling)).toBe(device.deviceId);
    expect(device.qr).toBe(`waxwing:link/${linkCode(device.deviceId)}`);
  });
  test.each(all(badCodes))('no code: $why', ({ code }) => {
    expect(() => readLinkCode(code)).toThrow('wrong_code');
  });
  test.each(all(waiting))('$why', ({ shown, isDevice }) => {
    expect(isWaiting(shown) && isThatDevice(device.deviceId, shown)).toBe(isDevice);
  });
  test.each(all(badRequests))('not sent: $why', ({ request }) => {
    const { key, name, ...beyond } = request;
    expect(isWaiting({ key, name }) && Object.keys(beyond).length === 0).toBe(false);
  });
  test.each(all(offers))('$why', async ({ now, offer, key, lists, problem }) => {
    expect(await whyNotJoin(key, offer, lists, msOf(now))).toBe(problem);
  });
});

test('an Ed25519 signature is checked without the cofactor, and its parts in the one form', () => {
  const key = signingKey(new Uint8Array(32).fill(1));
  const bytes = fromHex('0102');
  const signature = fromBase64url(key.sign(bytes));
  const isRight = (of: Uint8Array) => isSigned(fromBase64url(key.key), of, bytes);
  expect(isRight(signature)).toBe(true);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${toHex(signature.slice(32).reverse())}`) + order;
  const above = fromHex(s.toString(16).padStart(64, '0')).reverse();
  expect(isRight(Uint8Array.from([...signature.slice(0, 32), ...above]))).toBe(false);
});

test('a seal key of a device that is not in the list is not used', () => {
  const { address, now, sealKeys } = readVectors('devices');
  const list = { devices: [] } as unknown as DeviceList;
  expect(isUsable(address, list, sealKeys.sealKey as SealKey, msOf(now))).toBe(false);
});
