/** Searching in SQLite: by trigram indexes, which triggers keep in step with the names. */
import type { Database } from '../sql/database.ts';
import { GROUP } from '../sql/reads/groups.ts';
import type { GroupRow } from '../sql/rows.ts';
import type { Searches } from '../sql/searches.ts';

/** Sorts after every text. */
const LAST = '\u{10ffff}';

export function sqliteSearches(database: Database): Searches {
  // The cross join forces the order of the index: only the rows for the page are read.
  const handles = database
    .prepare<[string, number, number, string, number | null, number | null, number], number>(
      `SELECT handle_text.rowid FROM handle_text CROSS JOIN handle ON handle.account_id = handle_text.rowid
         CROSS JOIN account ON account.id = handle.account_id AND suspended_at IS NULL
        WHERE handle_text.handle MATCH ? AND handle_text.rowid > ? AND handle_text.rowid <= ?
          AND handle.handle NOT GLOB ? AND (? IS NULL OR verified = ?)
        ORDER BY handle_text.rowid LIMIT ?`,
    )
    .pluck();
  // The index returns its rows in order, so that only the rows for the page are read.
  const groups = database
    .prepare<[string, number, number, number], number>(
      'SELECT rowid FROM group_text WHERE name MATCH ? AND rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?',
    )
    .pluck();
  const byName = database.prepare<[string, string, string, number, number], GroupRow>(
    `${GROUP} WHERE listed = 1 AND search_name BETWEEN ? AND ? AND (search_name, chat_group.id) > (?, ?)
      ORDER BY search_name, chat_group.id LIMIT ?`,
  );

  return {
    handlesInside(text, verified, { from, to, most }) {
      const wanted = verified === null ? null : Number(verified);
      return handles.all(phraseOf(text), from, to, `${text}*`, wanted, wanted, most);
    },
    groupsInside: (text, { from, to, most }) => groups.all(phraseOf(text), from, to, most),
    groupsByName: (text, after, most) =>
      byName.all(text, text + LAST, after?.name ?? '', after?.key ?? 0, most),
  };
}

/** A text as a query of the index, with its special characters escaped. */
function phraseOf(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
