/**
 * The accounts of addresses.
 */
import type { AccountKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { finder } from '../rows-at-once.ts';
import { addressToBlob, blobToAddress } from '../values.ts';

export interface AddressedAccount {
  id: AccountKey;
  isDeleted: boolean;
}

/** Finds the accounts of some addresses, by address in its wire form, including deleted ones. */
export function accountsByAddress(
  database: Database,
): (addresses: readonly string[]) => Promise<Map<string, AddressedAccount>> {
  const find = finder<{ id: number; address: Buffer; deleted_at: number | null }>(
    database,
    { address: 'bytes' },
    (matches) => `SELECT id, address, deleted_at FROM account WHERE ${matches}`,
  );
  return async (addresses) => {
    const rows = await find([...new Set(addresses)].map((address) => [addressToBlob(address)]));
    return new Map(
      rows.map(({ id, address, deleted_at }) => [
        blobToAddress(address),
        { id, isDeleted: deleted_at !== null },
      ]),
    );
  };
}
