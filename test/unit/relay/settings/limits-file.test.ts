import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OperatorFailure } from '../../../../src/relay/operator/failure.ts';
import { DEFAULT_RELAY_LIMITS } from '../../../../src/relay/settings/limits.ts';
import { parseLimits } from '../../../../src/relay/settings/limits-file.ts';

test('absent limits have their default, also inside the rates', () => {
  const text = JSON.stringify({ queueEnvelopes: 5, rates: { login: { burst: 3, perSecond: 0.5 } } });
  expect(parseLimits(text)).toEqual({
    ...DEFAULT_RELAY_LIMITS,
    queueEnvelopes: 5,
    rates: { ...DEFAULT_RELAY_LIMITS.rates, login: { burst: 3, perSecond: 0.5 } },
  });
  expect(parseLimits('{}')).toEqual(DEFAULT_RELAY_LIMITS);
});

test('every limit is explained to operators', () => {
  const page = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  for (const name of Object.keys(DEFAULT_RELAY_LIMITS)) {
    expect(page).toMatch(new RegExp(`\`${name}[\`.]`));
  }
  const { rates, quotas, shares } = DEFAULT_RELAY_LIMITS;
  for (const name of Object.keys({ ...rates, ...quotas, ...shares })) expect(page).toContain(`.${name}\``);
});

test.each<[string, string]>([
  ['{', 'The limits are not JSON.'],
  ['{"queueEnvelope": 5}', 'Unknown limit: “queueEnvelope”.'],
  ['{"rates": {"burst": 5}}', 'Unknown limit: “rates.burst”.'],
  [
    '{"rates": {"login": {"burst": 5}}}',
    'The limit rates.login.perSecond cannot be used: is missing; it must be a number.',
  ],
  [
    '{"rates": {"login": {"burst": 5, "perSecond": 0}}}',
    'rates.login.perSecond cannot be used: must be more than 0.',
  ],
  ['{"bodyBytes": "1 MB"}', 'The limit bodyBytes cannot be used: must be a number.'],
  ['{"heldPolls": -1}', 'The limit heldPolls cannot be used: must be more than 0.'],
  ['{"heldPolls": 1.5}', 'The limit heldPolls cannot be used: must be a whole number.'],
  ['{"blobPartTimeout": 900000}', 'The limit blobPartTimeout cannot be used: must be at most 540000.'],
  [
    '{"headersTimeout": 400000}',
    'headersTimeout cannot be used: must be at most requestTimeout or blobPartTimeout',
  ],
  [
    '{"stalledTimeout": 2147483648}',
    'stalledTimeout cannot be used: must be at most 2147483647 milliseconds',
  ],
  [
    '{"payloadBytes": 1}',
    'The limit payloadBytes cannot be used: must be at least 1024 bytes, the size of a short message.',
  ],
  ['{"headersTimeout": 1}', 'The limit headersTimeout cannot be used: must be at least 1000 milliseconds'],
  ['{"requestTimeout": 1}', 'The limit requestTimeout cannot be used: must be at least 1000 milliseconds'],
  ['{"blobPartTimeout": 1}', 'The limit blobPartTimeout cannot be used: must be at least 1000 milliseconds'],
  ['{"bodyBytes": 16777216}', 'must be at most 8 MiB'],
  ['{"bodyBytes": 1000}', 'must be at least 2 × payloadBytes'],
  ['{"stalledTimeout": 30000}', 'must be greater than the longest wait of a poll'],
  ['{"quotas": {"groups": 0}}', 'quotas.groups'],
  ['{"quotas": {"group": 5}}', 'Unknown limit: “quotas.group”.'],
  ['{"shares": {"sender": 1.5}}', 'shares.sender'],
  ['[]', 'The limit file cannot be used: must be an object.'],
  ['null', 'The limit file cannot be used: must be an object.'],
])('%s is refused with its place', (text, sentence) => {
  expect(() => parseLimits(text)).toThrow(OperatorFailure);
  expect(() => parseLimits(text)).toThrow(sentence);
});
