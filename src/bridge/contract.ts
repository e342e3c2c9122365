/**
 * The contract between a user interface and an engine, with its host in between.
 *
 * Every call is a name and one input object, with schemas for input and output. `engineProcedures` are answered by
 * the engine's worker thread, `hostProcedures` by the host itself (Electron's main process, or the browser host).
 *
 * The procedures of an area are in ./procedures, shapes used by several of them in ./shapes.
 */

import type { z } from 'zod';
import type { events } from './events.ts';
import type { Answer } from './failure.ts';
import { accountProcedures } from './procedures/account-procedures.ts';
import { backupEngineProcedures, backupHostProcedures } from './procedures/backup-procedures.ts';
import { conversationProcedures } from './procedures/conversation-procedures.ts';
import { developerProcedures } from './procedures/developer-procedures.ts';
import { deviceProcedures } from './procedures/device-procedures.ts';
import {
  diagnosticsEngineProcedures,
  diagnosticsHostProcedures,
} from './procedures/diagnostics-procedures.ts';
import { fileEngineProcedures, fileHostProcedures } from './procedures/file-procedures.ts';
import { groupProcedures } from './procedures/group-procedures.ts';
import { historyProcedures } from './procedures/history-procedures.ts';
import { inviteProcedures } from './procedures/invite-procedures.ts';
import { linkProcedures } from './procedures/link-procedures.ts';
import { lockProcedures } from './procedures/lock-procedures.ts';
import { messageProcedures } from './procedures/message-procedures.ts';
import { peopleProcedures } from './procedures/people-procedures.ts';
import { setupProcedures } from './procedures/setup-procedures.ts';
import { windowProcedures } from './procedures/window-procedures.ts';

export const engineProcedures = {
  ...setupProcedures,
  ...accountProcedures,
  ...conversationProcedures,
  ...messageProcedures,
  ...fileEngineProcedures,
  ...linkProcedures,
  ...backupEngineProcedures,
  ...historyProcedures,
  ...groupProcedures,
  ...inviteProcedures,
  ...deviceProcedures,
  ...developerProcedures,
  ...diagnosticsEngineProcedures,
  ...peopleProcedures,
} as const;

export const hostProcedures = {
  ...fileHostProcedures,
  ...backupHostProcedures,
  ...diagnosticsHostProcedures,
  ...windowProcedures,
  ...lockProcedures,
} as const;

export const procedures = { ...engineProcedures, ...hostProcedures } as const;

export type EngineProcedures = typeof engineProcedures;
export type HostProcedures = typeof hostProcedures;
export type Procedures = typeof procedures;
export type ProcedureName = keyof Procedures;
export type Input<P extends ProcedureName> = z.input<Procedures[P]['input']>;
export type Output<P extends ProcedureName> = z.output<Procedures[P]['output']>;
export type Events = typeof events;
export type EventName = keyof Events;
export type EventPayload<E extends EventName> = z.output<Events[E]>;

/** Calls a procedure. Never rejects: the context bridge loses Error subclasses, so a failure is data. */
export type Call<P extends ProcedureName> = (input: Input<P>) => Promise<Answer<Output<P>>>;

/** The type of `window.waxwing`, for every transport. */
export interface Bridge {
  readonly calls: { readonly [P in ProcedureName]: Call<P> };
  /** Subscribes to an event; returns the function that unsubscribes. */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void;
}
