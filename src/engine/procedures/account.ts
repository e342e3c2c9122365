/**
 * The end of the account at its relay, and the way back.
 */
import { Failure, failedWith } from '../../base/failure.ts';
import { deleteAccount } from '../../client/identity/account-end.ts';
import { walletFromSecret } from '../identity/secret.ts';
import type { Online } from '../online.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `account.${string}`>;

/** Groups that a refusal names. */
const MOST_NAMED = 5;

export function accountProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;

  /** The relay says that there are such groups; which, this device knows. */
  const namedGroups = ({ account }: Online): Failure | null => {
    const names = context.groups
      .joined()
      .filter(({ creator, members }) => creator === account.address && members.length > 1)
      .map(({ name }) => name);
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
      // The key lies on this computer. Who has nothing but the computer is not to delete at once: so it is asked for.
      if (secret !== null && walletFromSecret(secret).wallet.address !== account.address) {
        throw new Failure('other_account');
      }
      let at: number | null;
      try {
        at = await deleteAccount(account.relay, account.session, secret !== null);
      } catch (error) {
        throw (failedWith(error, 'owns_groups') && namedGroups(online)) || error;
      }
      for (const { groupId } of context.groups.joined()) groups.leave(groupId);
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

    'account.reopen': async () => {
      const online = requireOnline(parts);
      await online.account.session.reopen('wallet');
      // The relay has neither keys nor profile any more: it gets back what this device has.
      online.registration.recheck();
      await online.registration.ensure();
      online.standing.endsAt(null);
      online.wake();
      return {};
    },
  };
}
