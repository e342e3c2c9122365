/** Deletion of the account at its relay, and its restoration. */
import { Failure, failedWith } from '../../base/failure.ts';
import { walletFromSecret } from '../../base/wallet-secret.ts';
import { deleteAccount } from '../../client/identity/account-end.ts';
import type { Wallet } from '../../protocol/wallet.ts';
import type { Online } from '../online.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { groupName } from '../views/conversations.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `account.${string}`>;

/** Number of groups named in a refusal. */
const MAX_NAMED = 5;

/**
 * The wallet of a typed secret.
 * @throws Failure other_account for another account's
 */
function walletOf({ account }: Online, secret: string): Wallet {
  const { wallet } = walletFromSecret(secret);
  if (wallet.address !== account.address) throw new Failure('other_account');
  return wallet;
}

export function accountProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;

  /** The relay reports that there are such groups; this device knows which. */
  const namedGroups = ({ account }: Online): Failure | null => {
    const names = context.groups
      .joined()
      .filter(({ state }) => state.creator === account.address && state.memberCount > 1)
      .map(groupName);
    if (names.length === 0) return null;
    const more = names.length - MAX_NAMED;
    return new Failure('owned_groups', {
      names: names.slice(0, MAX_NAMED).join(', '),
      more: Math.max(0, more),
    });
  };

  return {
    'account.delete': async ({ secret }) => {
      const online = requireOnline(parts);
      const { account, groups, accountStatus } = online;
      // The wallet may be stored on this computer. Deletion still requires the secret: access to the computer
      // alone is not enough.
      const wallet = secret === null ? null : walletOf(online, secret);
      let at: number | null;
      try {
        at = await deleteAccount(account.relay, account.session, wallet, (id) => groups.leave(id));
      } catch (error) {
        throw (failedWith(error, 'owns_groups') && namedGroups(online)) || error;
      }
      if (at === null) accountStatus.ended();
      else accountStatus.endsAt(at);
      return {};
    },

    'account.keep': async () => {
      const { account, accountStatus } = requireOnline(parts);
      await account.relay.cancelDeletion();
      accountStatus.endsAt(null);
      return {};
    },

    'account.reopen': async ({ secret }) => {
      const online = requireOnline(parts);
      const wallet = secret === null ? online.account.wallet : walletOf(online, secret);
      if (!wallet) throw new Failure('wallet_not_kept');
      await online.account.session.reopen(wallet);
      // The relay has deleted keys and profile: this device uploads them again.
      online.registration.recheck();
      await online.registration.ensure();
      online.accountStatus.endsAt(null);
      online.wake();
      return {};
    },
  };
}
