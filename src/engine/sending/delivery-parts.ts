/** Parts for the delivery of a message. */
import type { SendingParts } from '../../messaging/sending/outgoing.ts';
import type { AppGroups } from '../app-groups.ts';
import type { Context } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { Account } from '../identity/account.ts';

export interface DeliveryParts {
  context: Context;
  account: Account;
  directory: Directory;
  groups: AppGroups;
}

/** The same parts in the form of the core. */
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
