/**
 * Pages that are bounded in bytes.
 */

/** The number of rows in one page: at most `limit` and about `bytes` bytes, but at least one if there is any. */
export function countWithin(rows: readonly { size: number }[], limit: number, bytes: number): number {
  let total = 0;
  let count = 0;
  for (const { size } of rows) {
    if (count === limit || (count > 0 && total + size > bytes)) break;
    total += size;
    count++;
  }
  return count;
}
