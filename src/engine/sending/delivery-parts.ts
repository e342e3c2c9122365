/**
 * What bringing a message to its recipients works with.
 */
import type { SendingParts } from '../../messaging/sending/outgoing.ts';
import type { Context } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { AppGroups } from '../groups.ts';
import type { Account } from '../identity/account.ts';

export interface DeliveryParts {
  context: Context;
  account: Account;
  directory: Directory;
  groups: AppGroups;
}

/** The same as the core of messages has it. */
export function sendingParts({ context, account, directory }: DeliveryParts): SendingParts {
  const { identity, now, pool } = context;
  return {
    relay: account.relay,
    directory: directory.keys,
    author: {
      address: account.address,
      device: { id: account.deviceId, key: account.deviceKey },
      newestList: () => identity.newestList(),
    },
    seal: (job) => pool.seal(job),
    now,
  };
}
