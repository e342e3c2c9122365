/** Procedures of histories for linked computers. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { Id } from '../shapes/values.ts';
import { Count, nothing } from './inputs.ts';

/** Parts of all parts, as estimated. `problem`: the reason why nothing moves. */
const progress = { done: Count, total: Count, problem: FailureShape.nullable() };

export const historyProcedures = {
  /** The history that this linked computer receives, and those that it sends to linked computers. */
  'history.get': {
    input: nothing,
    output: z.strictObject({
      /**
       * `waiting`: the other computer may be off. `stopped`: it was ended there. `complete` and `stopped` stay until they are
       * hidden by `history.stop`. Null for none.
       */
      receiving: z
        .strictObject({ state: z.enum(['waiting', 'receiving', 'complete', 'stopped']), ...progress })
        .nullable(),
      /** `waiting`: the linked computer may be off. */
      sending: z.array(z.strictObject({ deviceId: Id, state: z.enum(['waiting', 'sending']), ...progress })),
    }),
  },
  /** Ends the history for a linked computer; null: for this one. Messages that are there stay. */
  'history.stop': { input: z.strictObject({ deviceId: Id.nullable() }), output: nothing },
} as const;
