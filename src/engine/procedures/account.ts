/**
 * The end of the account at its relay, and the way back.
 */
import { Failure, failedWith } from '../../base/failure.ts';
import { deleteAccount } from '../../client/identity/account-end.ts';
import type { Wallet } from '../../protocol/wallet.ts';
import { walletFromSecret } from '../identity/secret.ts';
import type { Online } from '../online.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { groupName } from '../views/conversations.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `account.${string}`>;

/** Groups that a refusal names. */
const MOST_NAMED = 5;

/** The wallet of a secret that the person has typed. @throws Failure other_account if it is that of another */
function walletOf({ account }: Online, secret: string): Wallet {
  const { wallet } = walletFromSecret(secret);
  if (wallet.address !== account.address) throw new Failure('other_account');
  return wallet;
}

export function accountProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;

  /** The relay says that there are such groups; which, this device knows. */
  const namedGroups = ({ account }: Online): Failure | null => {
    const names = context.groups
      .joined()
      .filter(({ state }) => state.creator === account.address && state.memberCount > 1)
      .map(groupName);
    if (names.length === 0) return null;
    const more = names.length - MOST_NAMED;
    return new Failure('owned_groups', {
      names: names.slice(0, MOST_NAMED).join(', '),
      more: Math.max(0, more),
    });
  };

  return {
    'account.delete': async ({ secret }) => {
      const online = requireOnline(parts);
      const { account, groups, standing } = online;
      // It may be kept on this computer. Who has nothing but the computer is not to delete at once: so it is asked for.
      const wallet = secret === null ? null : walletOf(online, secret);
      let at: number | null;
      try {
        at = await deleteAccount(account.relay, account.session, wallet, (id) => groups.leave(id));
      } catch (error) {
        throw (failedWith(error, 'owns_groups') && namedGroups(online)) || error;
      }
      if (at === null) standing.ended();
      else standing.endsAt(at);
      return {};
    },

    'account.keep': async () => {
      const { account, standing } = requireOnline(parts);
      await account.relay.cancelDeletion();
      standing.endsAt(null);
      return {};
    },

    'account.reopen': async ({ secret }) => {
      const online = requireOnline(parts);
      const wallet = secret === null ? online.account.wallet : walletOf(online, secret);
      if (!wallet) throw new Failure('wallet_not_kept');
      await online.account.session.reopen(wallet);
      // The relay has neither keys nor profile any more: it gets back what this device has.
      online.registration.recheck();
      await online.registration.ensure();
      online.standing.endsAt(null);
      online.wake();
      return {};
    },
  };
}
