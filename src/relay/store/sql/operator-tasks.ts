/** Possibly long tasks of the operator: reads over whole tables. */
import { toGroupSearch } from '../../../protocol/name-search.ts';
import type {
  AdmittedAddress,
  AuditAction,
  AuditRow,
  OperatorGroup,
  OperatorHandle,
  OperatorInvitation,
  RelayStats,
} from '../operator-records.ts';
import { type StoredAuditRow, verifyChain } from './audit-chain.ts';
import type { Database } from './database.ts';
import { listReports } from './operator-reports.ts';
import { listUsage } from './operator-usage.ts';
import { blobToAddress } from './values.ts';

interface HandleRow {
  handle: string;
  address: Buffer;
  display_name: string | null;
  is_public: number;
  verified: number;
  suspended_at: number | null;
  created_at: number;
}

interface GroupRow {
  id: number;
  public_id: string;
  name: string;
  address: Buffer | null;
  member_count: number;
  tokens: number;
  verified: number;
  created_at: number;
}

interface InvitationRow {
  public_id: string;
  address: Buffer | null;
  uses: number;
  uses_left: number;
  created_at: number;
  expires_at: number;
}

interface AdmittedRow {
  address: Buffer;
  admitted_at: number;
  account: number | null;
}

/** No task caches its statements: each runs once, on a read-only connection. */
export const OPERATOR_TASKS = {
  async readStats(database: Database): Promise<RelayStats> {
    const stats = await database
      .prepare<[], RelayStats>(
        `SELECT (SELECT count(*) FROM account WHERE deleted_at IS NULL) AS accounts,
                (SELECT count(*) FROM account WHERE suspended_at IS NOT NULL) AS "suspendedAccounts",
                (SELECT count(*) FROM device) AS devices,
                (SELECT count(*) FROM chat_group) AS groups,
                (SELECT coalesce(sum(envelopes), 0) FROM queue) AS "waitingEnvelopes",
                (SELECT coalesce(sum(bytes), 0) FROM queue) AS "waitingBytes",
                (SELECT accepted_at FROM envelope
                  WHERE id = (SELECT min(envelope_id) FROM sealed)) AS "oldestWaiting"`,
      )
      .get();
    if (!stats) throw new Error('a row of counts is missing');
    return stats;
  },

  async listHandles(database: Database, text: string, limit: number): Promise<OperatorHandle[]> {
    const rows = database.prepare<[string, string, number], HandleRow>(
      `SELECT handle, address, display_name, is_public, verified, suspended_at, handle.created_at
         FROM handle JOIN account ON account.id = handle.account_id
        WHERE (? = '' OR replace(handle, ?, '') <> handle) ORDER BY handle LIMIT ?`,
    );
    return (await rows.all(text, text, limit)).map((row) => ({
      handle: row.handle,
      address: blobToAddress(row.address),
      displayName: row.display_name,
      public: row.is_public === 1,
      verified: row.verified === 1,
      suspended: row.suspended_at !== null,
      createdAt: row.created_at,
    }));
  },

  async listGroups(database: Database, text: string, limit: number): Promise<OperatorGroup[]> {
    const rows = database.prepare<[string, string, string, number], GroupRow>(
      `SELECT chat_group.id, public_id, name, address, member_count, verified, chat_group.created_at,
              (SELECT count(*) FROM credential
                WHERE group_id = chat_group.id AND revoked_at IS NULL) AS tokens
         FROM chat_group LEFT JOIN account ON account.id = creator_id
        WHERE public_id = ? OR ? = '' OR replace(search_name, ?, '') <> search_name ORDER BY chat_group.id DESC LIMIT ?`,
    );
    return (await rows.all(text, text, toGroupSearch(text), limit)).map((row) => ({
      key: row.id,
      id: row.public_id,
      name: row.name,
      creator: row.address && blobToAddress(row.address),
      members: row.member_count,
      tokens: row.tokens,
      verified: row.verified === 1,
      createdAt: row.created_at,
    }));
  },

  async listAccountInvitations(
    database: Database,
    now: number,
    limit: number,
  ): Promise<OperatorInvitation[]> {
    const rows = database.prepare<[number, number], InvitationRow>(
      `SELECT public_id, address, uses, uses_left, account_invitation.created_at, expires_at
         FROM account_invitation LEFT JOIN account ON account.id = maker_id
        WHERE uses_left > 0 AND expires_at > ? ORDER BY account_invitation.id DESC LIMIT ?`,
    );
    return (await rows.all(now, limit)).map((row) => ({
      id: row.public_id,
      maker: row.address && blobToAddress(row.address),
      uses: row.uses,
      usesLeft: row.uses_left,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }));
  },

  async listAdmitted(database: Database, limit: number): Promise<AdmittedAddress[]> {
    const rows = database.prepare<[number], AdmittedRow>(
      `SELECT admitted_address.address, admitted_at, account.id AS account
         FROM admitted_address LEFT JOIN account ON account.address = admitted_address.address
        ORDER BY admitted_at DESC, admitted_address.address LIMIT ?`,
    );
    return (await rows.all(limit)).map((row) => ({
      address: blobToAddress(row.address),
      admittedAt: row.admitted_at,
      hasAccount: row.account !== null,
    }));
  },

  async readAudit(database: Database, limit: number): Promise<AuditRow[]> {
    const rows = database.prepare<[number], StoredAuditRow>(
      'SELECT * FROM (SELECT * FROM audit ORDER BY sequence DESC LIMIT ?) AS newest ORDER BY sequence',
    );
    return (await rows.all(limit)).map((row) => ({
      ...row,
      action: row.action as AuditAction,
      detail: JSON.parse(row.detail) as Record<string, unknown>,
      hash: row.hash.toString('hex'),
    }));
  },

  listUsage,
  listReports,
  verifyAudit: verifyChain,
};

export type OperatorTaskName = keyof typeof OPERATOR_TASKS;
