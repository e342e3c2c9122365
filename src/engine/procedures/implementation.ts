/** The form of procedures: plain functions, typed by the bridge contract. */
import type { z } from 'zod';
import type { EngineProcedures } from '../../bridge/contract.ts';

type Name = keyof EngineProcedures;

/** One function for each procedure of the contract. */
export type Procedures = {
  [P in Name]: (
    input: z.output<EngineProcedures[P]['input']>,
  ) => z.input<EngineProcedures[P]['output']> | Promise<z.input<EngineProcedures[P]['output']>>;
};
