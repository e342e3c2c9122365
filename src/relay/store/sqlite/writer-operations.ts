/** The operations of the writer thread: all writes, and those whose arguments arrive in another form. */
import type { GroupPost, GroupPostOutcome } from '../group-records.ts';
import type { Database } from '../sql/database.ts';
import { prepareOperations } from '../sql/operations.ts';
import { type PackedCopies, unpackCopies } from './packed-copies.ts';

/** A group post with its copies packed. */
export interface PackedPost extends Omit<GroupPost, 'envelopes'> {
  copies: PackedCopies<string>;
}

export function prepareWriterOperations(database: Database) {
  const operations = prepareOperations(database);
  return {
    ...operations,
    acceptPackedPost: ({ copies, ...post }: PackedPost): Promise<GroupPostOutcome> =>
      operations.acceptGroupPost({ ...post, envelopes: unpackCopies(copies) }),
  };
}

export type Operations = ReturnType<typeof prepareWriterOperations>;
export type OperationName = keyof Operations;
export type OperationArguments<N extends OperationName> = Parameters<Operations[N]>;
export type OperationResult<N extends OperationName> = Awaited<ReturnType<Operations[N]>>;
