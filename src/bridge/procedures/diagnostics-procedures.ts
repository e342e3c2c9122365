/** Procedures of error reports and the log. */

import { z } from 'zod';
import { Count, nothing } from './inputs.ts';

/** Answered by the engine. */
export const diagnosticsEngineProcedures = {
  /** Counts and states for an error report: only numbers and codes. */
  'diagnostics.counts': {
    input: nothing,
    output: z.strictObject({
      relay: z.enum(['none', 'embedded', 'other']),
      connection: z.enum(['none', 'online', 'connecting', 'offline']),
      /** The code of the failure of the connection to the relay. */
      problem: z.string().max(64).nullable(),
      /** Version of the cache's schema, and the size of its file in bytes. */
      version: Count,
      bytes: Count,
      contacts: Count,
      conversations: Count,
      requests: Count,
      groups: Count,
      messages: Count,
      queued: Count,
      failed: Count,
      quarantined: Count,
    }),
  },
} as const;

/** Answered by the host. */
export const diagnosticsHostProcedures = {
  /**
   * An error report as text: versions, settings, numbers, and the newest records of the log. No contents, names,
   * addresses, server names or secrets. Also available while locked.
   */
  'diagnostics.text': { input: nothing, output: z.strictObject({ text: z.string().max(65_536) }) },
  /**
   * An error of the interface, for the log, which stores its class and place. The message is needed only to remove it
   * from the stack.
   */
  'diagnostics.report': {
    input: z.strictObject({
      name: z.string().max(64),
      message: z.string().max(4_096),
      stack: z.string().max(16_384),
    }),
    /** Shown to the person, and recorded in the log. */
    output: z.strictObject({ id: z.string().max(16) }),
  },
  /** Shows the folder of the log if the host can; otherwise only its path is available. */
  'diagnostics.openLogs': {
    input: nothing,
    output: z.strictObject({ isOpened: z.boolean(), path: z.string().max(4_096) }),
  },
} as const;
