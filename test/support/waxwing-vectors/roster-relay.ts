/**
 * Entries that a relay accepts, and proofs by foreign entries about the chain that it shows.
 */
import { encodeTime } from '../../../src/protocol/encoding.ts';
import type { Evidence } from '../../../src/protocol/roster/evidence.ts';
import type { RosterEntry } from '../../../src/protocol/roster/forms.ts';
import type { PostRefusal, PostVerdict } from '../../../src/protocol/roster/post.ts';
import { type Action, BEGINNING, DAY, MINUTE, type RosterFixture } from '../rosters.ts';
import {
  ann,
  ben,
  type ChainName,
  chains,
  cleo,
  dan,
  elsewhere,
  eve,
  LEAVE,
  OPEN_JOIN,
} from './roster-chains.ts';

const chainOf = (after: ChainName) => chains[after].chain;
const NOTHING: Action = { kind: 'change' };

export interface PostCase {
  why: string;
  after: ChainName;
  now: string;
  /** Newest list that is published of the signer. */
  newest: number;
  /** Address of the poster, if that is not its signer. */
  poster?: string;
  entry: RosterEntry;
  verdict: PostVerdict['verdict'];
  reason?: PostRefusal;
}

export function postCases(): PostCase[] {
  const full = chainOf('full');
  const at = full.state.issued + MINUTE;
  const entry = full.make(ann, NOTHING);
  const post = (
    why: string,
    posted: RosterEntry,
    verdict: PostCase['verdict'],
    reason?: PostRefusal,
    { now = at, newest = 1, poster }: { now?: number; newest?: number; poster?: string } = {},
  ): PostCase => ({
    why,
    after: 'full',
    now: encodeTime(now),
    newest,
    ...(poster && { poster }),
    entry: posted,
    verdict,
    ...(reason && { reason }),
  });
  const join = full.make(eve, OPEN_JOIN);
  return [
    post('what follows', entry, 'taken'),
    post('the last entry again', lastOf('full'), 'repeated'),
    post('the first entry again', firstOf('full'), 'repeated'),
    post(
      'another entry in the place of the last',
      chainOf('open').copy().add(ben, OPEN_JOIN).add(cleo, OPEN_JOIN).add(dan, OPEN_JOIN).make(ann, NOTHING),
      'conflict',
    ),
    post('what follows another entry', chainOf('removed').make(ann, NOTHING), 'conflict'),
    post('what does not fold', full.make(cleo, NOTHING), 'refused', 'not_allowed'),
    post('no entry', { ...entry, body: 'AAAA' }, 'refused', 'malformed'),
    post('five minutes ahead', entry, 'taken', undefined, { now: at - 5 * MINUTE }),
    post('further ahead', entry, 'refused', 'issued_in_future', { now: at - 5 * MINUTE - 1 }),
    post('a list before the newest', entry, 'refused', 'list_not_newest', { newest: 2 }),
    post('a list that is not published', full.make(ann, NOTHING, { list: 3 }), 'refused', 'list_not_newest'),
    post('a join within ten minutes', join, 'taken', undefined, { now: at + 10 * MINUTE }),
    post('a join after ten minutes', join, 'refused', 'issued_long_ago', { now: at + 10 * MINUTE + 1 }),
    post('an old join that the creator brings', join, 'taken', undefined, {
      now: at + DAY,
      newest: 2,
      poster: ann.address,
    }),
    post('an old join that an admin brings', join, 'taken', undefined, {
      now: at + DAY,
      poster: ben.address,
    }),
    post('an old join that a member brings', join, 'refused', 'issued_long_ago', {
      now: at + DAY,
      poster: cleo.address,
    }),
    post(
      'an old list in a change that the creator brings',
      full.make(ben, { kind: 'change', name: 'X' }),
      'refused',
      'list_not_newest',
      { newest: 2, poster: ann.address },
    ),
    post('a change after a day', entry, 'taken', undefined, { now: at + DAY }),
  ];
}

function firstOf(name: ChainName): RosterEntry {
  const [entry] = chainOf(name).entries;
  if (!entry) throw new Error('a chain has entries');
  return entry;
}

function lastOf(name: ChainName): RosterEntry {
  const entry = chainOf(name).entries.at(-1);
  if (!entry) throw new Error('a chain has entries');
  return entry;
}

export interface EvidenceCase {
  why: string;
  /** The chain that the relay shows. */
  shown: ChainName;
  entry: RosterEntry;
  evidence: Exclude<Evidence, object> | 'wait';
}

/** `removed`, `uninvited`, `newerList` and others all follow `full`: a relay that shows one hides the others. */
export function evidenceCases(): EvidenceCase[] {
  const of = (why: string, shown: ChainName, entry: RosterEntry, evidence: EvidenceCase['evidence']) => ({
    why,
    shown,
    entry,
    evidence,
  });
  const overtaken = chainOf('full').make(ben, { kind: 'change', name: 'Hills' });
  const hidden = (who: RosterFixture, action: Action) => chainOf('removed').make(who, action);
  return [
    of('an entry that is shown', 'removed', lastOf('removed'), 'shown'),
    of('the next one: it may not have arrived', 'full', lastOf('removed'), 'follows'),
    of(
      'a change by the admin, in whose place the relay shows another',
      'newerList',
      lastOf('removed'),
      'split',
    ),
    of('a later one, of which the relay shows nothing before', 'full', hidden(ann, NOTHING), 'split'),
    of('a change that lost a race: its signer went on', 'removed', overtaken, 'nothing'),
    of(
      'a change by the creator of the shown chain, an admin in the other',
      'toAdmin',
      lastOf('removed'),
      'split',
    ),
    of('a change by an admin of before', 'demoted', lastOf('removed'), 'nothing'),
    of('a change by an admin who is none in the shown chain', 'leaderless', lastOf('removed'), 'nothing'),
    of('a change by a member', 'newerList', hidden(cleo, NOTHING), 'nothing'),
    of('a join', 'newerList', hidden(eve, OPEN_JOIN), 'nothing'),
    of('a join that was never posted', 'newerList', chainOf('full').make(eve, OPEN_JOIN), 'nothing'),
    of('a leave', 'newerList', chainOf('full').make(dan, LEAVE), 'nothing'),
    of(
      'a change with a list that is not there yet',
      'newerList',
      chainOf('removed').make(ann, NOTHING, { list: 3 }),
      'wait',
    ),
    of(
      'a change by a device that the shown chain has dropped',
      'newerList',
      chainOf('removed').make(ann, NOTHING, { device: 1 }),
      'nothing',
    ),
    of(
      'a change that nobody signed',
      'newerList',
      { ...lastOf('removed'), signature: lastOf('full').signature },
      'nothing',
    ),
    of('the next one, which does not hold', 'full', chainOf('full').make(cleo, NOTHING), 'nothing'),
    of('no entry', 'full', { ...lastOf('removed'), body: 'AAAA' }, 'nothing'),
    of(
      'an entry of another day in another group',
      'open',
      chains.founded.chain.make(dan, { kind: 'leave' }, { at: BEGINNING + DAY }),
      'nothing',
    ),
    of(
      'a change that the same creator has signed in another group',
      'founded',
      elsewhere.make(ann, NOTHING, { at: elsewhere.state.issued + DAY }),
      'nothing',
    ),
  ];
}
