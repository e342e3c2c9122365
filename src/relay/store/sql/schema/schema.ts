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

/** In an order in which each names those before it. All tables and indexes that both engines have. */
export function tables(types: ColumnTypes): string {
  return [accounts, groups, credentials, mail, blobs, audit].map((part) => part(types)).join('');
}
