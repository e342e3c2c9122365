/**
 * What the rules of messages ask of a relay, and what can come of it. Its answers are unproven.
 */
import { Failure, type RefusalCode, RelayUnreachable } from '../base/failure.ts';
import type { DeviceList } from '../protocol/device-list.ts';
import { onOneLine } from '../protocol/label.ts';
import type { Limits } from '../protocol/limits.ts';
import { PROBLEMS, type ProblemCode } from '../protocol/problems.ts';
import type { RosterEntry } from '../protocol/roster/forms.ts';
import type { RosterReference } from '../protocol/roster/reference.ts';
import type { AddressKeys } from '../protocol/schemas/directory.ts';
import type { Envelope, SendResult } from '../protocol/schemas/envelopes.ts';
import type { GroupEnvelope, GroupSendResponse, GroupView, NewToken } from '../protocol/schemas/groups.ts';
import type { AdmissionRequest, FoundRequest, RosterPage } from '../protocol/schemas/rosters.ts';

export { RelayUnreachable };

/** Of a relay's sentence so many characters are kept. */
const MOST_DETAIL = 1_000;
/** A reason is a name. Anything else counts as none. */
const REASON = /^\w{1,64}$/;

/**
 * The relay answered with a problem (RFC 9457), of a whole call or of one envelope. Its sentence may hold anything, and
 * goes into caches, terminals and logs of programs: it is kept on one line of bounded length.
 */
export class RelayRefusal extends Failure<RefusalCode> {
  override readonly name = 'RelayRefusal';
  readonly status: number;
  /** How long the relay asks to wait, in milliseconds: a second to an hour. */
  readonly retryAfter: number | null;

  /**
   * @param code of the catalogue in src/protocol/problems.ts; one that a newer relay has counts as `relay_problem`
   * @param reason finer than the code; empty where the relay gives none
   */
  constructor(status: number, code: string, detail: string, retryAfter: number | null = null, reason = '') {
    super(Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'relay_problem', {
      detail: onOneLine(detail).slice(0, MOST_DETAIL),
      reason: REASON.test(reason) ? reason : '',
    });
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same call may succeed later without being changed. */
  get temporary(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408 || this.code === 'inbox_full';
  }
}

/** Whether the same may succeed later without being changed. */
export function mayPass(error: unknown): error is RelayUnreachable | RelayRefusal {
  return error instanceof RelayUnreachable || (error instanceof RelayRefusal && error.temporary);
}

/** Whether the relay may have done what was asked, though no answer says so. */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof RelayRefusal) return error.status >= 500 || error.code === 'not_found';
  return error instanceof RelayUnreachable;
}

type Rejection = Extract<SendResult, { status: 'rejected' }>['error'];

/** What a relay says of one envelope among others. */
export function refusalOf({ code, detail, reason }: Rejection): RelayRefusal {
  const status = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as ProblemCode].status : 422;
  return new RelayRefusal(status, code, detail, null, reason);
}

/** The calls of which device lists and seal keys are learnt. @throws RelayRefusal, RelayUnreachable */
export interface KeySource {
  /** Null if the address has published no devices. */
  keys(address: string): Promise<AddressKeys | null>;
  /** The lists of addresses with numbers above `after` up to `upTo`: one answer for each want, in order. */
  keyHistories(
    wants: { address: string; after: number; upTo: number }[],
  ): Promise<{ lists: DeviceList[]; more: boolean }[]>;
  /** The ML-KEM public keys with these digests that it has, by digest, all in base64url. */
  pqKeys(digests: string[]): Promise<Record<string, string>>;
}

/** The calls that bring copies to their devices. @throws RelayRefusal, RelayUnreachable */
export interface PostOffice {
  /** What it takes at most, as it said last. */
  limits(): Promise<Limits>;
  /** Each in a result of its own, in order. */
  sendEnvelopes(envelopes: Envelope[]): Promise<SendResult[]>;
  /** All of them, or, if one is refused, none. */
  sendToGroup(groupId: string, envelopes: GroupEnvelope[]): Promise<GroupSendResponse>;
}

/** The calls about groups and their chains. @throws RelayRefusal, RelayUnreachable */
export interface GroupSource extends ChainSource, ChainKeeper, Pick<KeySource, 'keyHistories'> {
  group(groupId: string): Promise<GroupView>;
  /** Makes a group by its first entries. */
  foundGroup(request: FoundRequest): Promise<GroupView>;
  /** Lets the caller read a group that they could join. @returns the last entry of its chain */
  admit(groupId: string, proof: AdmissionRequest): Promise<RosterReference>;
}

/** The calls about group tokens, for the creator of a group. @throws RelayRefusal, RelayUnreachable */
export interface TokenMint {
  createToken(groupId: string, name: string): Promise<NewToken>;
  deleteToken(groupId: string, tokenId: string): Promise<void>;
}

/** The call that shows a chain. @throws RelayRefusal, RelayUnreachable */
export interface ChainSource {
  /** The entries with epochs above `after`, ascending, a page of them. */
  roster(groupId: string, after: number): Promise<RosterPage>;
}

/** The call that appends to a chain. @throws RelayRefusal, RelayUnreachable */
export interface ChainKeeper {
  /** The same entry again changes nothing. @param password what the relay is told with a new `joinKey` */
  appendEntry(groupId: string, entry: RosterEntry, password?: string): Promise<void>;
}
