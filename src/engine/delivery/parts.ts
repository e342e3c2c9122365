/**
 * What bringing a message to its recipients works with.
 */
import type { Context } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { GroupDirectory } from '../groups.ts';
import type { Account } from '../identity/account.ts';

export interface DeliveryParts {
  context: Context;
  account: Account;
  directory: Directory;
  groups: GroupDirectory;
}

/** How often copies may be sealed anew within one attempt because devices or members changed meanwhile. */
export const MOST_RESEALS = 4;
