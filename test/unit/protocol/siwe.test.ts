/**
 * EIP-4361 with the vectors of spruceid/siwe. Its parsing_negative.json is not used: neither side of Waxwing parses a
 * login text, both build it from fields, so there is no parser that could accept too much. The same mistakes as fields
 * are in parsing_negative_objects.json. eip1271.json is not used either: contract wallets are not supported.
 */
import { describe, expect, test } from 'vitest';
import { formatSiwe, SiweFields, verifySiwe } from '../../../src/protocol/siwe.ts';
import { signText, walletFromKey } from '../../../src/protocol/wallet.ts';
import { bytes, readVectors } from '../../support/vectors.ts';

type Fields = Record<string, unknown>;
interface Signed extends Fields {
  domain: string;
  nonce: string;
  signature: string;
  domainBinding?: string;
  matchNonce?: string;
  time?: string;
}

const positive = readVectors<Record<string, { message: string; fields: Fields }>>(
  'siwe/parsing_positive.json',
);
const negative = readVectors<Record<string, Fields>>('siwe/parsing_negative_objects.json');
const accepted = readVectors<Record<string, Signed>>('siwe/verification_positive.json');
const refused = readVectors<Record<string, Signed>>('siwe/verification_negative.json');

/** The vectors write null where a parser found no scheme; here a field that is not there is left out. */
function withoutNulls(fields: Fields): SiweFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as SiweFields;
}

function verifies({ signature, domainBinding, matchNonce, time, ...fields }: Signed): boolean {
  return verifySiwe(fields as unknown as SiweFields, signature, {
    domain: domainBinding ?? fields.domain,
    nonce: matchNonce ?? fields.nonce,
    now: Date.parse(time ?? '2026-11-20T20:00:00.000Z'),
  });
}

test('the files have the expected number of cases', () => {
  expect([positive, negative, accepted, refused].map((file) => Object.keys(file).length)).toEqual([
    19, 18, 4, 10,
  ]);
});

test.each(Object.entries(positive))('builds the text of "%s"', (_name, { message, fields }) => {
  expect(formatSiwe(withoutNulls(fields))).toBe(message);
});

test.each(Object.entries(negative))('refuses fields with "%s"', (_name, fields) => {
  expect(SiweFields.safeParse(fields).success).toBe(false);
  expect(() => formatSiwe(fields as unknown as SiweFields)).toThrow();
});

test.each(Object.entries(accepted))('accepts the signature of "%s"', (_name, signed) => {
  expect(verifies(signed)).toBe(true);
});

test.each(Object.entries(refused))('refuses the signature of "%s"', (_name, signed) => {
  expect(verifies(signed)).toBe(false);
});

describe('a relay’s challenge', () => {
  const wallet = walletFromKey(bytes('11'.repeat(32)));
  const fields: SiweFields = {
    domain: 'relay.example:8443',
    address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    statement: 'Sign in to this relay.',
    uri: 'https://relay.example:8443',
    version: '1',
    chainId: 1,
    nonce: '0123456789abcdef',
    issuedAt: '2026-11-20T20:00:00.000Z',
    expirationTime: '2026-11-20T20:05:00.000Z',
  };
  const expected = {
    domain: fields.domain,
    nonce: fields.nonce,
    now: Date.parse('2026-11-20T20:01:00.000Z'),
  };
  const signature = signText(wallet, formatSiwe(fields));

  test('is accepted within its lifetime, from the named wallet', () => {
    expect(verifySiwe(fields, signature, expected)).toBe(true);
  });

  test.each([
    ['another domain', { ...expected, domain: 'relay.example' }],
    ['another nonce', { ...expected, nonce: 'fedcba9876543210' }],
    ['the moment at which it expires', { ...expected, now: Date.parse('2026-11-20T20:05:00.000Z') }],
  ])('is refused for %s', (_why, expectation) => {
    expect(verifySiwe(fields, signature, expectation)).toBe(false);
  });

  test('is refused if any field differs from the signed one', () => {
    const changes: Partial<SiweFields>[] = [
      { statement: 'Sign in to that relay.' },
      { uri: 'https://relay.example' },
      { chainId: 2 },
      { issuedAt: '2026-11-20T20:00:00.001Z' },
      { expirationTime: '2026-11-20T20:05:00.001Z' },
      { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      { scheme: 'https' },
      { resources: ['https://relay.example'] },
    ];
    for (const change of changes) {
      expect(verifySiwe({ ...fields, ...change }, signature, expected), JSON.stringify(change)).toBe(false);
    }
  });

  test.each([
    ['a line break', 'one\ntwo'],
    ['no character', ''],
    ['a character that the standard does not allow', 'Grüße'],
  ])('cannot have a statement with %s', (_what, statement) => {
    expect(SiweFields.safeParse({ ...fields, statement }).success).toBe(false);
  });
});
