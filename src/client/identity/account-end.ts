/** Deleting an account, for a client. */
import { Failure } from '../../base/failure.ts';
import { isTransient } from '../../messaging/relay.ts';
import type { Wallet } from '../../protocol/wallet.ts';
import type { RelayApi } from '../api.ts';
import type { WalletSession } from '../session.ts';

/** The most groups that are checked. By default no relay allows more for an account. */
const MAX_GROUPS = 5_000;

/**
 * Leaves all groups and deletes the account: at once with its wallet, or from the device after seven days. If this is
 * interrupted, the account still ends in seven days, and its person can see and cancel that. A group that cannot be
 * left, for example with an invalid chain, does not prevent the deletion.
 * @param wallet null: in seven days
 * @param leave leaves a group of the account
 * @returns the end in milliseconds since 1970; null: it has ended
 * @throws RelayRefusal owns_groups before any group was left, RelayUnreachable
 */
export async function deleteAccount(
  relay: RelayApi,
  session: WalletSession,
  wallet: Wallet | null,
  leave: (groupId: string) => Promise<unknown>,
): Promise<number | null> {
  await session.reopen('device');
  // Comes first: it is refused while a group would lose its owner.
  const deletesAt = await relay.deleteAccount();
  for (const { id } of await relay.groups({ mine: true }, MAX_GROUPS)) {
    try {
      await leave(id);
    } catch (error) {
      if (isTransient(error) || !(error instanceof Failure)) throw error;
    }
  }
  if (!wallet) return deletesAt === null ? null : Date.parse(deletesAt);
  await session.reopen(wallet);
  await relay.deleteAccount();
  return null;
}
