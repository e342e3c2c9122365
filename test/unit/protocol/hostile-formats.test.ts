/**
 * Each parser of outside data refuses any input in its documented way.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContentDigest } from '../../../src/protocol/blob/digest.ts';
import { AttachedFile, baseNameOf } from '../../../src/protocol/blob/file.ts';
import { readBotSecret } from '../../../src/protocol/bots.ts';
import { EncodingError, encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { InviteError, parseInvite } from '../../../src/protocol/invite.ts';
import { LinkCodeError, parseLinkCode } from '../../../src/protocol/linking/code.ts';
import { PayloadError } from '../../../src/protocol/payload.ts';
import { decodeFrame } from '../../../src/protocol/payload-frame.ts';
import { isRelayOrigin } from '../../../src/protocol/relay-origin.ts';
import { InvitationRequest, NewInvitation } from '../../../src/protocol/schemas/accounts.ts';
import { anyString } from '../../support/any-string.ts';
import { allContents } from '../../support/future/all-kinds.ts';
import { logKey, readCheckpoint } from '../../support/future/log/checkpoint.ts';
import { decodeLogEntry } from '../../support/future/log/entry.ts';
import { bytes, readVectors } from '../../support/vectors.ts';

const { invites } = readVectors<{ invites: { url: string; app: string }[] }>('waxwing/invites.json');
const { key, checkpoint } = readVectors<{
  key: { domain: string; publicKey: string };
  checkpoint: { checkpoint: string };
}>('waxwing/log.json');

/** A text with one character replaced, or cut. */
const broken = (texts: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.string({ maxLength: 2 }), fc.boolean())
    .map(([text, at, by, cut]) => {
      const place = at % text.length;
      return text.slice(0, place) + by + (cut ? '' : text.slice(place + 1));
    });

/** Runs it, and returns its error. */
function thrownBy(run: () => unknown): unknown {
  try {
    run();
    return null;
  } catch (error) {
    return error;
  }
}

describe('texts', () => {
  const links = invites.flatMap(({ url, app }) => [url, app]);
  const texts = fc.oneof(
    anyString(),
    fc.uint8Array().map((data) => `waxwing:i/${encodeBase64Url(data)}`),
    broken([...links, checkpoint.checkpoint]),
  );

  test('refuses as invites', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const error = thrownBy(() => parseInvite(text));
        if (error !== null) expect(error).toBeInstanceOf(InviteError);
      }),
      { numRuns: 500 },
    );
  });

  test('refuses as code, secret, checkpoint, header, origin or name', () => {
    const log = logKey(key.domain, bytes(key.publicKey));
    fc.assert(
      fc.property(texts, (text) => {
        const error = thrownBy(() => parseLinkCode(text));
        if (error !== null) expect(error).toBeInstanceOf(LinkCodeError);
        expect(readBotSecret(text)).toBeNull();
        expect(readContentDigest(text)).toBeNull();
        if (text !== checkpoint.checkpoint) expect(readCheckpoint(text, log)).toBeNull();
        if (isRelayOrigin(text)) expect(new URL(text).origin).toBe(text);
        expect(baseNameOf(text) ?? '').not.toMatch(/[/\\]/);
      }),
      { numRuns: 500 },
    );
  });
});

test('refuses bytes as payload and log entry', () => {
  const beginnings = ['SEALEDMSG', 'SEALEDGRP'].map((label) => Uint8Array.from([...Buffer.from(label), 2]));
  const data = fc
    .tuple(fc.constantFrom(new Uint8Array(), ...beginnings), fc.uint8Array({ maxLength: 120 }))
    .map(([begin, rest]) => Uint8Array.from([...begin, ...rest]));
  fc.assert(
    fc.property(data, (some) => {
      const error = thrownBy(() => decodeFrame(some));
      if (error !== null) expect(error).toBeInstanceOf(PayloadError);
      expect(thrownBy(() => decodeLogEntry(some))).toBeInstanceOf(EncodingError);
    }),
  );
});

test('judges JSON of any form without an exception', () => {
  const { version1 } = readVectors<{ version1: { fields: { body: object }[] } }>('waxwing/kinds.json');
  const fields = new Set(version1.fields.flatMap(({ body }) => Object.keys(body)));
  const body = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue());
  fc.assert(
    fc.property(body, fc.constantFrom(...allContents.names.split(',')), (some, kind) => {
      for (const channel of ['direct', 'group'] as const)
        expect(thrownBy(() => allContents.judge(channel, { ...some, kind }))).toBeNull();
      expect(AttachedFile.safeParse(some).success).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('accepts one form of invitation codes, for 1 to 20 accounts', () => {
  const expires = '2026-11-20T20:00:00.000Z';
  const code = `inv_${'A'.repeat(43)}`;
  expect(NewInvitation.safeParse({ code, uses: 1, expires }).success).toBe(true);
  expect(NewInvitation.safeParse({ code: `${code}A`, uses: 1, expires }).success).toBe(false);
  for (const [uses, isRight] of [
    [0, false],
    [1, true],
    [20, true],
    [21, false],
  ] as const) {
    expect(InvitationRequest.safeParse({ uses, expires }).success, `${uses}`).toBe(isRight);
  }
});
