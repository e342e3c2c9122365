/** Facts about the engine for a fault report. */
import type { EngineParts } from '../parts.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `diagnostics.${string}`>;

export function diagnosticsProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  return {
    'diagnostics.counts': () => {
      const identity = context.identity.get();
      const connection = parts.online?.connection.get();
      const isRegistered = identity !== null && identity.registeredAt !== null;
      return {
        ...context.counts.get(),
        // Its address may be private.
        relay: !isRegistered ? 'none' : identity.relayUrl === null ? 'embedded' : 'other',
        connection: connection?.state ?? 'none',
        problem: connection?.problem?.code ?? null,
      };
    },
  };
}
