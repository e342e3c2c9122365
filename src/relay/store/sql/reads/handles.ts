/** Searches for people: by their public handles, then by their display names. */
import { partThatFits, toNameText } from '../../../../protocol/name-search.ts';
import type { HandleEntry, HandleQuery } from '../../records.ts';
import type { Database } from '../database.ts';
import { HANDLE, type HandleRow, toHandle } from '../rows.ts';
import type { Range, Searches } from '../searches.ts';
import { FEW_ROWS, isInside, searchInside } from './text-search.ts';

/** Names checked by one call. Each costs some microseconds, and may be unsuitable for the caller. */
const MAX_NAMES = 500;
/** Sorts after every text. */
const LAST = '\u{10ffff}';

/** The result of one call. */
export interface Page {
  handles: HandleEntry[];
  next: string | null;
}

/** The position of a search: each part of it follows the one before. */
type Place =
  | { in: 'begin'; after: string | null }
  | { in: 'inside'; after: number }
  | { in: 'named'; after: { part: string; account: number } | null };

/** @param searches on the same connection */
export function handleSearch(database: Database, searches: Searches) {
  const byPrefix = (condition: string) =>
    database.prepare<[string, string, number], HandleRow>(
      `${HANDLE} WHERE is_public = 1 AND handle >= ? AND handle < ? ${condition} ORDER BY handle LIMIT ?`,
    );
  // Each has an index of its own, so that rare rows are found without a scan of all.
  const handlesByPrefix = {
    any: byPrefix(''),
    verified: byPrefix('AND verified = 1'),
    unverified: byPrefix('AND verified = 0'),
  };
  const handleOf = database.prepare<[number], HandleRow>(`${HANDLE} WHERE handle.account_id = ?`);
  const lastHandle = database.prepare<[], number>('SELECT coalesce(max(account_id), 0) FROM handle').pluck();
  const names = database.prepare<[string, number, string, number], { part: string; account_id: number }>(
    `SELECT part, account_id FROM name_part WHERE (part, account_id) > (?, ?) AND part < ?
      ORDER BY part, account_id LIMIT ?`,
  );

  async function begin({ text, verified, limit }: HandleQuery, after: string | null): Promise<Page> {
    const kind = verified === null ? 'any' : verified ? 'verified' : 'unverified';
    // ' ' sorts before every character of a handle, '~' after.
    const from = after === null ? (text ?? '') : `${after} `;
    const rows = await handlesByPrefix[kind].all(from, `${text}~`, limit + 1);
    const page = rows.slice(0, limit);
    return {
      handles: page.map(toHandle),
      next: rows.length > limit ? `begin ${page.at(-1)?.handle}` : null,
    };
  }

  async function inside(query: HandleQuery, text: string, limit: number, after: number): Promise<Page> {
    const place = { after, last: (await lastHandle.get()) ?? 0 };
    const find = (range: Range) => searches.handlesInside(text, query.verified, range);
    const { found, next } = await searchInside(place, limit, find);
    const rows: HandleRow[] = [];
    for (const account of found) rows.push(...(await handleOf.all(account)));
    return { handles: rows.map(toHandle), next: next === null ? null : `inside ${next}` };
  }

  async function named(
    { text, verified }: HandleQuery,
    name: string,
    limit: number,
    after: { part: string; account: number } | null,
  ): Promise<Page> {
    const from = after ?? { part: name, account: 0 };
    const rows = await names.all(from.part, from.account, name + LAST, MAX_NAMES);
    const handles: HandleEntry[] = [];
    for (const [index, { part, account_id: account }] of rows.entries()) {
      if (handles.length === limit) {
        const last = rows[index - 1] ?? { part: from.part, account_id: from.account };
        return { handles, next: `named ${last.account_id} ${last.part}` };
      }
      const [row] = await handleOf.all(account);
      // Each person once, without those found by handle.
      if (!row || partThatFits(row.display_name ?? '', name) !== part) continue;
      if (verified !== null && (row.verified === 1) !== verified) continue;
      if (text === null || !isFoundByHandle(row.handle, text)) handles.push(toHandle(row));
    }
    const last = rows.length < MAX_NAMES ? undefined : rows.at(-1);
    return { handles, next: last ? `named ${last.account_id} ${last.part}` : null };
  }

  return {
    /**
     * First handles that begin with the text, in their order; then handles with the text inside, oldest account
     * first; then people with the text in their display name, by name.
     */
    async searchHandles(query: HandleQuery): Promise<Page> {
      const { text, name, limit } = query;
      const place = placeOf(query.after);
      const handles: HandleEntry[] = [];
      if (text !== null && place.in === 'begin') {
        const page = await begin(query, place.after);
        if (page.next !== null) return page;
        handles.push(...page.handles);
      }
      if (isInside(text) && place.in !== 'named') {
        const page = await inside(
          query,
          text,
          limit - handles.length,
          place.in === 'inside' ? place.after : 0,
        );
        handles.push(...page.handles);
        if (page.next !== null) return { handles, next: page.next };
      }
      if (name === null) return { handles, next: null };
      const page = await named(
        query,
        name,
        limit - handles.length,
        place.in === 'named' ? place.after : null,
      );
      return { handles: [...handles, ...page.handles], next: page.next };
    },

    /** True if a search may be too long for the thread that answers. */
    async isLongHandleSearch({ text, name }: HandleQuery): Promise<boolean> {
      return (isInside(text) || name !== null) && ((await lastHandle.get()) ?? 0) > FEW_ROWS;
    },
  };
}

function isFoundByHandle(handle: string, text: string): boolean {
  return isInside(text) ? handle.includes(text) : handle.startsWith(text);
}

/** The position comes from the caller and may be anything. */
function placeOf(after: string | null): Place {
  const [, kind, rest = ''] = /^(begin|inside|named) (.*)$/s.exec(after ?? '') ?? [];
  if (kind === 'inside') return { in: 'inside', after: Number(rest) };
  if (kind !== 'named') return { in: 'begin', after: kind === 'begin' ? rest : null };
  const [account = '', ...part] = rest.split(' ');
  const key = Number(account);
  return {
    in: 'named',
    after: Number.isSafeInteger(key) ? { part: toNameText(part.join(' ')), account: key } : null,
  };
}
