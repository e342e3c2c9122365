/**
 * Revoked and expired API keys and group tokens: only the newest are kept for the list, so that they never pile up.
 */
import { KEPT_ENDED_CREDENTIALS } from '../../../../protocol/figures.ts';
import type { AccountKey } from '../../records.ts';
import { ALL_ROWS, type Awaitable, type Database } from '../database.ts';

/** The types of credentials with a list for the account. */
export type ListedType = 'api_key' | 'group_token';

export function listedCredentials(database: Database) {
  const countWorking = database
    .prepare<[number, ListedType, number], number>(
      `SELECT count(*) FROM credential
        WHERE account_id = ? AND type = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
    )
    .pluck();
  const forget = database.prepare<[number, ListedType, number]>(
    `DELETE FROM credential WHERE id IN
       (SELECT id FROM credential
         WHERE account_id = ? AND type = ? AND (revoked_at IS NOT NULL OR expires_at <= ?)
         ORDER BY coalesce(revoked_at, expires_at) DESC, id DESC LIMIT ${ALL_ROWS} OFFSET ${KEPT_ENDED_CREDENTIALS})`,
  );

  return {
    /** The number of valid ones of an account. Ended ones do not count. */
    async countWorking(account: AccountKey, type: ListedType, now: number): Promise<number> {
      return (await countWorking.get(account, type, now)) ?? 0;
    },

    /** Deletes all ended ones except the newest. Must be called after each creation and revocation. */
    async forgetEnded(account: AccountKey, type: ListedType, now: number): Promise<void> {
      await forget.run(account, type, now);
    },
  };
}

/** The session that creates an API key or group token: the device that renewed it. */
interface MakingSession {
  device_id: Buffer | null;
}

/** Finds by its id the session that creates an API key or group token; none if it has ended. */
export function makingSession(database: Database): (id: string) => Awaitable<MakingSession | undefined> {
  const find = database.prepare<[string], MakingSession>(
    "SELECT device_id FROM credential WHERE public_id = ? AND type = 'session'",
  );
  return (id) => find.get(id);
}
