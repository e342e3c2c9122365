/** Invite links as texts from outside: the failure of each. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Failure, type FailureCode } from '../../../../src/base/failure.ts';
import { RelayRefusal } from '../../../../src/client/http.ts';
import { linkFailure, readInvite, readInviteTo } from '../../../../src/engine/invites/read-invite.ts';
import { formatInvite, type GroupInvite } from '../../../../src/protocol/invite.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../../../../docs/vectors/invites.json', import.meta.url), 'utf8'),
) as { invites: { why: string; url: string; app: string; invite: { relayKey: string | null } }[] };

const invite: GroupInvite = {
  to: 'group',
  groupId: 'DAwMDAwMDAwMDAwMDAwMDA',
  seed: 'REREREREREREREREREREREREREREREREREREREREREQ',
  relay: 'https://relay.example',
  relayKey: null,
  invitation: null,
};
const { app, url } = formatInvite(invite);

const failureOf = (work: () => unknown): FailureCode | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

test.each(vectors.invites)('reads an invite $why, unless the server has its own certificate', (vector) => {
  const expected = vector.invite.relayKey === null ? null : 'invite_own_certificate';
  for (const text of [vector.url, vector.app]) expect(failureOf(() => readInvite(text))).toBe(expected);
});

test.each([
  `Join me: ${url}`,
  `(${url}).`,
  `<${app}>`,
  `“${url}”, it works once`,
  `${url}?utm_source=mail`,
  `Two lines\n${url}\nSee you there`,
])('reads the invite in the text %s', (text) => {
  expect(readInvite(text)).toEqual(invite);
});

test('reads the invitation code of a link at the end of a sentence', () => {
  const invitation = `inv_${'b'.repeat(43)}`;
  expect(readInvite(`Here: ${formatInvite({ ...invite, invitation }).url}.`)).toEqual({
    ...invite,
    invitation,
  });
});

test.each([
  ['', 'invite_unknown'],
  ['https://relay.example', 'invite_unknown'],
  ['waxwing:contact/0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a', 'invite_unknown'],
  [`${url}${'A'.repeat(2_048)}`, 'invite_unknown'],
  ['waxwing:i/', 'invite_damaged'],
  [app.slice(0, 40), 'invite_damaged'],
  [url.replace('relay.example', 'evil.example'), 'invite_damaged'],
  [`${app}.inv_short`, 'invite_damaged'],
  ['waxwing:i/CQwMDAwM', 'invite_newer'],
] as const)('the text %s fails with %s', (text, code) => {
  expect(failureOf(() => readInvite(text))).toBe(code);
});

test('C7: an invite to another server is refused with its name', () => {
  expect(readInviteTo('https://relay.example/', url)).toEqual(invite);
  expect(() => readInviteTo('https://other.example', url)).toThrow(
    expect.objectContaining({ code: 'invite_elsewhere', parameters: { server: 'relay.example' } }),
  );
});

test.each([
  [new RelayRefusal(422, 'roster_refused', '', null, 'link_expired'), 'invite_expired'],
  [new RelayRefusal(422, 'roster_refused', '', null, 'unknown_link'), 'invite_over'],
  [new RelayRefusal(422, 'roster_refused', '', null, 'wrong_link_signature'), 'invite_over'],
  [new RelayRefusal(404, 'not_found', ''), 'invite_over'],
  [new RelayRefusal(422, 'roster_refused', '', null, 'too_many_members'), 'roster_act_refused'],
  [new Failure('roster_act_refused', { reason: 'unknown_link' }), 'invite_over'],
  [new Failure('roster_act_refused', { reason: 'ticket_needed' }), 'roster_act_refused'],
  [new RelayRefusal(429, 'rate_limited', '', 1_000), 'rate_limited'],
])('%o becomes %s', (error, code) => {
  expect(linkFailure(error)).toMatchObject({ code });
});

test('other errors stay as they are', () => {
  const error = new TypeError('a fault in the program');
  expect(linkFailure(error)).toBe(error);
});
