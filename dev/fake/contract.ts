/**
 * The types of the fake bridge's answers, by the contract of the real bridge.
 */
import type { z } from 'zod';
import type {
  EventName,
  EventPayload,
  Output,
  ProcedureName,
  Procedures,
} from '../../src/bridge/contract.ts';

export type Answers = {
  [P in ProcedureName]: (input: z.output<Procedures[P]['input']>) => Output<P> | Promise<Output<P>>;
};

/** The answers of procedures whose names begin with an area. */
export type AnswersOf<Area extends string> = Pick<Answers, Extract<ProcedureName, `${Area}.${string}`>>;

/** Sends an event to the page. */
export type Emit = <E extends EventName>(name: E, payload: EventPayload<E>) => void;
