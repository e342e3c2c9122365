import { randomBytes } from 'node:crypto';
import type { RelayApi } from '../../src/client/api.ts';
import type { Registration } from '../../src/client/identity/registration.ts';
import { AppGroups } from '../../src/engine/app-groups.ts';
import { Directory } from '../../src/engine/directory.ts';
import { openAccount as openRelayAccount } from '../../src/engine/identity/account.ts';
import { InboxReader } from '../../src/engine/receiving/inbox-reader.ts';
import { createGaps } from '../../src/engine/sending/gaps.ts';
import { createGreetings } from '../../src/engine/sending/greetings.ts';
import { createReceipts } from '../../src/engine/sending/receipts.ts';
import type { CachedAccount } from './cached-account.ts';

/** The reader of the inbox of a person's device, without a relay. @param own the person's address */
export function readerOf({ context }: CachedAccount, own: string): InboxReader {
  const relay = {} as RelayApi;
  const directory = new Directory(context, relay, own);
  const groups = new AppGroups({
    ...{ context, relay, directory, own, talk: () => null },
    signer: () => {
      throw new Error('nothing is signed');
    },
    renewSigner: async () => undefined,
    onJoined: () => undefined,
    onChanged: () => undefined,
  });
  const identity = { address: own, walletKey: null, deviceSeed: randomBytes(32) };
  const account = { ...openRelayAccount(identity, 'http://127.0.0.1:9'), relay };
  const parts = { context, account, directory, groups };
  const registration = {} as Registration;
  return new InboxReader(
    ...([parts, createGreetings(parts), registration, createGaps(parts), createReceipts(parts)] as const),
    () => undefined,
  );
}
