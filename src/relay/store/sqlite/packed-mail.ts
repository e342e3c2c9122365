/**
 * The mail of a flush, and its outcomes, between the threads: columns instead of an object for each envelope. In batches of 50,
 * copying objects took an eighth of the processor time of both threads.
 */
import type { AcceptOutcome, EnvelopesToAccept } from '../records.ts';
import { type PackedCopies, packCopies, unpackCopies } from './packed-copies.ts';

type Request = Omit<EnvelopesToAccept, 'envelopes'>;

/** Several requests, with their envelopes in one list. */
export interface PackedMail extends PackedCopies {
  senders: Request['from'][];
  accounts: Request['account'][];
  vias: Request['via'][];
  networks: Request['network'][];
  times: Request['now'][];
  /** Usually one object, which a message has once. */
  limits: Request['limits'][];
  /** The number of envelopes of each request. */
  sizes: number[];
}

export function packMail(requests: readonly EnvelopesToAccept[]): PackedMail {
  return {
    ...packCopies(requests.flatMap(({ envelopes }) => envelopes)),
    senders: requests.map(({ from }) => from),
    accounts: requests.map(({ account }) => account),
    vias: requests.map(({ via }) => via),
    networks: requests.map(({ network }) => network),
    times: requests.map(({ now }) => now),
    limits: requests.map(({ limits }) => limits),
    sizes: requests.map(({ envelopes }) => envelopes.length),
  };
}

/** The requests again; their bytes are views of one buffer. */
export function unpackMail(packed: PackedMail): EnvelopesToAccept[] {
  const { senders, accounts, vias, networks, times, limits, sizes } = packed;
  const envelopes = unpackCopies(packed);
  let begin = 0;
  return sizes.map((size, index) => {
    begin += size;
    return {
      from: senders[index],
      account: accounts[index],
      via: vias[index],
      network: networks[index],
      now: times[index],
      limits: limits[index],
      envelopes: envelopes.slice(begin - size, begin),
    } as EnvelopesToAccept;
  });
}

/** Outcomes of envelopes, in their order. */
export interface PackedOutcomes {
  statuses: AcceptOutcome['status'][];
  /** 0 where an envelope was refused. */
  times: number[];
  /** Empty where an envelope is not new. */
  queues: number[][];
}

const NO_QUEUES: number[] = [];

export function packOutcomes(outcomes: readonly AcceptOutcome[]): PackedOutcomes {
  return {
    statuses: outcomes.map(({ status }) => status),
    times: outcomes.map((outcome) => ('acceptedAt' in outcome ? outcome.acceptedAt : 0)),
    queues: outcomes.map((outcome) => ('queues' in outcome ? outcome.queues : NO_QUEUES)),
  };
}

export function unpackOutcomes({ statuses, times, queues }: PackedOutcomes): AcceptOutcome[] {
  return statuses.map((status, index) => {
    const acceptedAt = times[index] ?? 0;
    if (status === 'accepted') return { status, acceptedAt, queues: queues[index] ?? [] };
    return status === 'duplicate' ? { status, acceptedAt } : { status };
  });
}
