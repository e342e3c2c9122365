/**
 * Rows as arrays of PostgreSQL, one for each column, in its binary format. A statement with arrays is prepared once for any
 * number of rows, runs in one round trip, and its bytes are neither written nor read as hexadecimal text.
 *
 * Format: https://github.com/postgres/postgres/blob/REL_17_STABLE/src/backend/utils/adt/arrayfuncs.c, `array_recv`.
 */
import type { ColumnType, RowArrays, SqlValue } from '../sql/database.ts';

/** The server's types, with the numbers that their arrays name. */
const TYPES: Readonly<Record<ColumnType, { name: string; oid: number }>> = {
  integer: { name: 'bigint', oid: 20 },
  bytes: { name: 'bytea', oid: 17 },
  text: { name: 'text', oid: 25 },
};

/** Bytes before the elements: dimensions, flags, type, length, index of the first element. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const INTEGER_BYTES = 8;
/** The length that means NULL. */
const NULL_LENGTH = -1;
const HALF = 2 ** 32;

export const rowArrays: RowArrays = {
  table: (types) => `unnest(${types.map((type) => `?::${TYPES[type].name}[]`).join(', ')})`,
  parameters: (types, rows) => types.map((type, column) => encodeColumn(type, rows, column)),
};

function encodeColumn(type: ColumnType, rows: readonly (readonly SqlValue[])[], column: number): Buffer {
  const values = rows.map((row) => storable(row[column] ?? null));
  const array = Buffer.allocUnsafe(
    values.reduce((sum: number, value) => sum + LENGTH_BYTES + bytesIn(value), HEAD_BYTES),
  );
  array.writeInt32BE(1, 0);
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(TYPES[type].oid, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(value === null ? NULL_LENGTH : bytesIn(value), at);
    if (typeof value === 'number') {
      array.writeInt32BE(Math.floor(value / HALF), at);
      array.writeUInt32BE(value - Math.floor(value / HALF) * HALF, at + INTEGER_BYTES / 2);
    } else if (typeof value === 'string') array.write(value, at);
    else if (value !== null) array.set(value, at);
    at += bytesIn(value);
  }
  return array;
}

function bytesIn(value: SqlValue): number {
  if (value === null) return 0;
  if (typeof value === 'number') return INTEGER_BYTES;
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length;
}

/**
 * A parameter that the server accepts. Values made up by a caller, in a cursor or a path, must simply find nothing: a
 * text with a zero character, which no stored text has, and a number that is too large or not whole.
 */
export function storable(value: SqlValue): SqlValue {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  if (Number.isNaN(value)) return null;
  return Math.trunc(Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value)));
}
