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
      /**
       * `waiting`: the linked computer may be off. `missed`: nothing came from it for 30 days, and nothing is sent. `back`:
       * it is on again, and gets the history after `history.offer`.
       */
      sending: z.array(
        z.strictObject({
          deviceId: Id,
          state: z.enum(['waiting', 'sending', 'missed', 'back']),
          ...progress,
        }),
      ),
    }),
  },
  /** Sends the history again to a linked computer that was off for too long: at once, or when it is on. */
  'history.offer': { input: z.strictObject({ deviceId: Id }), output: nothing },
  /** Ends the history for a linked computer; null: for this one. Messages that are there stay. */
  'history.stop': { input: z.strictObject({ deviceId: Id.nullable() }), output: nothing },
} as const;
