/** The operator's commands for a running relay. */
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import type { RelayContext } from '../context.ts';
import { OperatorFailure } from '../operator/failure.ts';
import { makeId, makeInvitationCode } from '../secrets.ts';
import type { OperatorGroup } from '../store/operator-records.ts';
import type { AdminArguments, AdminCommand } from './protocol.ts';

/** The longest lifetime of an operator's code, in milliseconds: a year. */
const MAX_INVITATION_LIFE = 365 * 24 * 3_600_000;
/** The most unused codes of the operator. */
const MAX_INVITATIONS = 10_000;

/** The commands of one relay, by name. Each throws OperatorFailure. */
export function adminCommands({ store, waiters, clock, name, registration }: RelayContext) {
  const startedAt = clock();

  async function requireGroup(id: string): Promise<OperatorGroup> {
    const groups = await store.listGroups(id, 1);
    const group = groups.find((found) => found.id === id);
    if (!group) throw new OperatorFailure('group_unknown', { id });
    return group;
  }

  return {
    async stats(_: AdminArguments<'stats'>) {
      const stats = await store.readStats();
      const { oldestWaiting } = stats;
      return {
        ...stats,
        oldestWaiting: oldestWaiting === null ? null : encodeTime(oldestWaiting),
        name,
        registration,
        uptimeSeconds: Math.round((clock() - startedAt) / 1000),
        heldPolls: waiters.size,
        ...store.measure(),
        memoryBytes: process.memoryUsage.rss(),
      };
    },

    async usage({ by, limit }: AdminArguments<'usage'>) {
      const accounts = await store.listUsage(by, limit);
      return accounts.map((account) => ({ ...account, createdAt: encodeTime(account.createdAt) }));
    },

    async reports({ limit }: AdminArguments<'reports'>) {
      const reports = await store.listReports(limit);
      return reports.map((report) => ({ ...report, reportedAt: encodeTime(report.reportedAt) }));
    },

    async resolveReport({ id }: AdminArguments<'resolveReport'>) {
      if (await store.resolveReport(id, clock())) return { id };
      throw new OperatorFailure('report_unknown', { id });
    },

    async handles({ text, limit }: AdminArguments<'handles'>) {
      const handles = await store.listHandles(text, limit);
      return handles.map((handle) => ({ ...handle, createdAt: encodeTime(handle.createdAt) }));
    },

    async groups({ text, limit }: AdminArguments<'groups'>) {
      return (await store.listGroups(text, limit)).map(describeGroup);
    },

    async verifyHandle({ handle, verified }: AdminArguments<'verifyHandle'>) {
      if (await store.setHandleVerified(handle, verified, clock())) return { handle, verified };
      throw new OperatorFailure('handle_unknown', { handle });
    },

    async verifyGroup({ id, verified }: AdminArguments<'verifyGroup'>) {
      if (await store.setGroupVerified(id, verified, clock())) return { id, verified };
      throw new OperatorFailure('group_unknown', { id });
    },

    async suspend({ account, suspended }: AdminArguments<'suspend'>) {
      const change = await store.setSuspended(account, suspended, clock());
      if (!change) {
        throw 'handle' in account
          ? new OperatorFailure('handle_unknown', { handle: account.handle })
          : new OperatorFailure('account_unknown', { address: account.address });
      }
      waiters.revoke(change.credentials);
      return { address: change.address, suspended };
    },

    async findGroup({ id }: AdminArguments<'findGroup'>) {
      return describeGroup(await requireGroup(id));
    },

    async removeGroup({ id, name }: AdminArguments<'removeGroup'>) {
      const group = await requireGroup(id);
      if (group.name !== name) {
        throw new OperatorFailure('group_name_differs', { id, name: group.name, given: name });
      }
      const tokens = await store.removeGroup(group.key, clock());
      if (!tokens) throw new OperatorFailure('group_unknown', { id });
      waiters.revoke(tokens);
      return describeGroup(group);
    },

    async invite({ uses, expires }: AdminArguments<'invite'>) {
      const { code, digest } = makeInvitationCode();
      const id = makeId();
      const createdAt = clock();
      const expiresAt = decodeTime(expires);
      if (expiresAt <= createdAt || expiresAt > createdAt + MAX_INVITATION_LIFE) {
        throw new OperatorFailure('invitation_expiry');
      }
      const invitation = { id, digest, maker: null, uses, createdAt, expiresAt };
      if (!(await store.createAccountInvitation(invitation, MAX_INVITATIONS))) {
        throw new OperatorFailure('invitations_full', { most: MAX_INVITATIONS });
      }
      return { id, code, uses, expires, registration };
    },

    async invitations({ limit }: AdminArguments<'invitations'>) {
      const invitations = await store.listAccountInvitations(clock(), limit);
      return invitations.map((each) => ({
        ...each,
        createdAt: encodeTime(each.createdAt),
        expiresAt: encodeTime(each.expiresAt),
      }));
    },

    async revokeInvitation({ id }: AdminArguments<'revokeInvitation'>) {
      if (await store.revokeAccountInvitation(id, clock())) return { id };
      throw new OperatorFailure('invitation_unknown', { id });
    },

    async admit({ address, admitted }: AdminArguments<'admit'>) {
      await store.setAdmitted(address, admitted, clock());
      return { address, admitted };
    },

    async admitted({ limit }: AdminArguments<'admitted'>) {
      const addresses = await store.listAdmitted(limit);
      return addresses.map((each) => ({ ...each, admittedAt: encodeTime(each.admittedAt) }));
    },

    async backup({ file }: AdminArguments<'backup'>) {
      return { file, bytes: await store.backUp(file, clock()) };
    },

    async audit({ limit }: AdminArguments<'audit'>) {
      return (await store.readAudit(limit)).map((row) => ({ ...row, at: encodeTime(row.at) }));
    },

    verifyAudit: (_: AdminArguments<'verifyAudit'>) => store.verifyAudit(),
  } satisfies { [C in AdminCommand]: (args: AdminArguments<C>) => Promise<unknown> };
}

export type AdminCommands = ReturnType<typeof adminCommands>;
export type AdminResult<C extends AdminCommand> = Awaited<ReturnType<AdminCommands[C]>>;

function describeGroup({ key: _, ...group }: OperatorGroup) {
  return { ...group, createdAt: encodeTime(group.createdAt) };
}
