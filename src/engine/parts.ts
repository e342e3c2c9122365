/**
 * The parts of an engine that its procedures work with.
 */
import type { Context } from './context.ts';
import { EngineFailure } from './failure.ts';
import type { Online } from './online.ts';

/** What procedures work with. */
export interface EngineParts {
  readonly context: Context;
  readonly relays: { embedded: string | null; fixed: string | null };
  /** null until the identity is set up and registered. */
  online: Online | null;
  /** Starts the outbox and the poller for the stored identity. */
  goOnline(): Online;
}

/**
 * The running account.
 * @throws EngineFailure before set-up
 */
export function requireOnline(parts: EngineParts): Online {
  if (!parts.online) throw new EngineFailure('wrong_phase', 'Set up your identity first.');
  return parts.online;
}
