import { expect, test } from 'vitest';
import { isAnswerTo } from '../../../../src/protocol/answers.ts';
import { RosterEntry } from '../../../../src/protocol/roster/forms.ts';
import {
  AdmissionRequest,
  FoundRequest,
  RosterPage,
  RosterPostRequest,
} from '../../../../src/protocol/schemas/rosters.ts';
import { RosterChain, rosterFixture } from '../../../support/rosters.ts';

const [ann, ben] = [rosterFixture('ann', 0x60), rosterFixture('ben', 0x64)] as const;
const chain = new RosterChain([ann, ben], ann);
const [entry] = chain.entries;

test('calls about rosters accept entries and proofs in only one form', () => {
  expect(FoundRequest.parse({ entries: [entry] })).toEqual({ entries: [entry] });
  for (const entries of [[], Array(5).fill(entry), [{ ...entry, extra: 1 }]]) {
    expect(FoundRequest.safeParse({ entries }).success).toBe(false);
  }
  const ticket = chain.ticket(ann, ben);
  expect(AdmissionRequest.parse({ ticket })).toEqual({ ticket });
  expect(AdmissionRequest.safeParse({ password: 'correct horse battery staple' }).success).toBe(false);
  expect(RosterPostRequest.safeParse({ entry, name: 'Walkers' }).success).toBe(false);
});

test('an answer of a later version is read without its new fields', () => {
  const page = { entries: [{ ...entry, seen: 3 }], more: false, next: 1 };
  expect(RosterPage.parse(page)).toEqual({ entries: [entry], more: false });
});

test('a body of 16,384 bytes fits into an entry, a longer one does not', () => {
  const form = (bytes: number) =>
    RosterEntry.safeParse({ ...entry, body: Buffer.alloc(bytes).toString('base64url') });
  expect(form(16_384).success).toBe(true);
  expect(form(16_385).success).toBe(false);
});

test('refuses a page from another chain, and one that skips entries', () => {
  const long = chain.copy().add(ann, { kind: 'change' }).add(ann, { kind: 'change', name: 'Hills' });
  const other = new RosterChain([ann, ben], ann, 'Walkers', 0x08);
  const isAnswer = (entries: readonly RosterEntry[], after = 0) => {
    const caller = { address: null, token: null };
    const call = { params: { id: chain.groupId }, query: { after }, body: undefined, caller };
    return isAnswerTo('getRoster', call, { entries: [...entries], more: false });
  };
  expect([isAnswer(long.entries), isAnswer([]), isAnswer(long.entries.slice(1), 1)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isAnswer(other.entries), isAnswer(long.entries.slice(1)), isAnswer(long.entries, 1)]).toEqual([
    false,
    false,
    false,
  ]);
});
