/**
 * The end of an account, as a client brings it about.
 */
import { Failure } from '../../base/failure.ts';
import { isTransient } from '../../messaging/relay.ts';
import type { Wallet } from '../../protocol/wallet.ts';
import type { RelayApi } from '../api.ts';
import type { WalletSession } from '../session.ts';

/** Groups that are looked at. No relay lets an account be in more unless its operator says so. */
const MOST_GROUPS = 5_000;

/**
 * Leaves all groups and deletes the account: at once with its wallet, or, from the device, seven days later. What is cut off
 * on the way leaves an account that ends in seven days, which its person sees and can cancel.
 * A group that cannot be left, such as one whose chain does not hold, does not keep the account.
 * @param wallet null: in seven days
 * @param leave leaves a group of the account
 * @returns when it ends, in milliseconds since 1970; null: it has ended
 * @throws RelayRefusal owns_groups before anything was left, RelayUnreachable
 */
export async function deleteAccount(
  relay: RelayApi,
  session: WalletSession,
  wallet: Wallet | null,
  leave: (groupId: string) => Promise<unknown>,
): Promise<number | null> {
  await session.reopen('device');
  // Refused while a group would be left without its owner: so this comes first.
  const deletesAt = await relay.deleteAccount();
  for (const { id } of await relay.groups({ mine: true }, MOST_GROUPS)) {
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
