/** Relay calls of the core of messages, and their failures. The relay's answers are unproven. */
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

/** Length limit of a relay's sentence, in characters. */
const MAX_DETAIL = 1_000;
/** A reason is a name. Others are ignored. */
const REASON = /^\w{1,64}$/;

/**
 * A problem from the relay (RFC 9457), about a call or about one envelope. Its sentence may contain anything,
 * and enters caches, terminals and logs of programs: it is reduced to one line of bounded length.
 */
export class RelayRefusal extends Failure<RefusalCode> {
  override readonly name = 'RelayRefusal';
  readonly status: number;
  /** Wait requested by the relay, in milliseconds: a second to an hour. */
  readonly retryAfter: number | null;

  /**
   * @param code of the catalogue in src/protocol/problems.ts; an unknown one becomes `relay_problem`
   * @param reason finer than the code; empty by default
   */
  constructor(status: number, code: string, detail: string, retryAfter: number | null = null, reason = '') {
    super(Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'relay_problem', {
      detail: onOneLine(detail).slice(0, MAX_DETAIL),
      reason: REASON.test(reason) ? reason : '',
    });
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Reports whether the same call may succeed later. */
  get temporary(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408 || this.code === 'inbox_full';
  }
}

/** Reports whether the same call may succeed later. */
export function isTransient(error: unknown): error is RelayUnreachable | RelayRefusal {
  return error instanceof RelayUnreachable || (error instanceof RelayRefusal && error.temporary);
}

type Rejection = Extract<SendResult, { status: 'rejected' }>['error'];

/** A relay's answer about one of several envelopes. */
export function refusalOf({ code, detail, reason }: Rejection): RelayRefusal {
  const status = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as ProblemCode].status : 422;
  return new RelayRefusal(status, code, detail, null, reason);
}

/**
 * Calls for device lists and seal keys.
 * @throws RelayRefusal, RelayUnreachable
 */
export interface KeySource {
  /** Null for an address without published devices. */
  keys(address: string): Promise<AddressKeys | null>;
  /** The lists of addresses with numbers above `after` up to `upTo`: one answer for each want, in order. */
  keyHistories(
    wants: { address: string; after: number; upTo: number }[],
  ): Promise<{ lists: DeviceList[]; more: boolean }[]>;
  /** The available ML-KEM public keys for these digests, by digest, all in base64url. */
  pqKeys(digests: string[]): Promise<Record<string, string>>;
}

/**
 * Calls for the delivery of copies.
 * @throws RelayRefusal, RelayUnreachable
 */
export interface PostOffice {
  /** Its limits according to its last answer. */
  limits(): Promise<Limits>;
  /** One result per envelope, in order. */
  sendEnvelopes(envelopes: Envelope[]): Promise<SendResult[]>;
  /** All of them, or none if one is refused. */
  sendToGroup(groupId: string, envelopes: GroupEnvelope[]): Promise<GroupSendResponse>;
}

/**
 * Calls for groups and their chains.
 * @throws RelayRefusal, RelayUnreachable
 */
export interface GroupSource extends ChainSource, ChainKeeper, Pick<KeySource, 'keyHistories'> {
  group(groupId: string): Promise<GroupView>;
  /** Creates a group with its first entries. */
  foundGroup(request: FoundRequest): Promise<GroupView>;
  /**
   * Gives the caller read access to a group that they could join.
   * @returns the last entry of its chain
   */
  admit(groupId: string, proof: AdmissionRequest): Promise<RosterReference>;
}

/**
 * Calls for group tokens, by the creator of a group.
 * @throws RelayRefusal, RelayUnreachable
 */
export interface TokenIssuer {
  createToken(groupId: string, name: string): Promise<NewToken>;
  revokeToken(groupId: string, tokenId: string): Promise<void>;
}

/**
 * The call for reading a chain.
 * @throws RelayRefusal, RelayUnreachable
 */
export interface ChainSource {
  /** One page of entries with epochs above `after`, ascending. */
  roster(groupId: string, after: number): Promise<RosterPage>;
}

/**
 * The call for appending to a chain.
 * @throws RelayRefusal, RelayUnreachable
 */
export interface ChainKeeper {
  /**
   * Idempotent.
   * @param password sent to the relay with a new `joinKey`
   */
  appendEntry(groupId: string, entry: RosterEntry, password?: string): Promise<void>;
}
