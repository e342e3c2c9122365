/**
 * The tables of the store.
 */
import { accounts } from './accounts.ts';
import { audit } from './audit.ts';
import { blobs } from './blobs.ts';
import { credentials } from './credentials.ts';
import { groups } from './groups.ts';
import { mail } from './mail.ts';
import type { ColumnTypes } from './types.ts';

/** All tables and indexes that both engines share, each after the tables that it refers to. */
export function tables(types: ColumnTypes): string {
  return [accounts, groups, credentials, mail, blobs, audit].map((part) => part(types)).join('');
}
