/**
 * Searching in PostgreSQL. Texts inside names are searched without an index, in a limited number of rows at a time
 * (reads/text-search.ts).
 */
import type { Database } from '../sql/database.ts';
import { GROUP } from '../sql/reads/groups.ts';
import type { GroupRow } from '../sql/rows.ts';
import type { Searches } from '../sql/searches.ts';

/** Sorts after every text. */
const LAST = '\u{10ffff}';

export function postgresSearches(database: Database): Searches {
  const handles = database
    .prepare<[string, number, number, number | null, number | null, number], number>(
      `SELECT handle.account_id FROM handle JOIN account ON account.id = handle.account_id
        WHERE is_public = 1 AND suspended_at IS NULL AND strpos(handle, ?) > 1
          AND handle.account_id > ? AND handle.account_id <= ? AND (CAST(? AS BIGINT) IS NULL OR verified = ?)
        ORDER BY handle.account_id LIMIT ?`,
    )
    .pluck();
  const groups = database
    .prepare<[string, number, number, number], number>(
      `SELECT id FROM chat_group WHERE listed = 1 AND strpos(search_name, ?) > 0 AND id > ? AND id <= ?
        ORDER BY id LIMIT ?`,
    )
    .pluck();
  const byName = database.prepare<[string, string, string, number, number], GroupRow>(
    `${GROUP} WHERE listed = 1 AND search_name >= ? AND search_name < ? AND (search_name, chat_group.id) > (?, ?)
      ORDER BY search_name, chat_group.id LIMIT ?`,
  );

  return {
    handlesInside(text, verified, { from, to, most }) {
      const wanted = verified === null ? null : Number(verified);
      return handles.all(text.toLowerCase(), from, to, wanted, wanted, most);
    },
    groupsInside: (text, { from, to, most }) => groups.all(text, from, to, most),
    groupsByName: (text, after, most) =>
      byName.all(text, text + LAST, after?.name ?? '', after?.key ?? 0, most),
  };
}
