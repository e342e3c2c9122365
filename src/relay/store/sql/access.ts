/**
 * The operations that both engines share, and the access that each needs. An engine supplies a driver: one function
 * for each kind of access. Operations that differ between engines are in sqlite/store.ts and postgres/store.ts.
 */
import type { Operations } from './operations.ts';
import type { OPERATOR_TASKS, OperatorTaskName } from './operator-tasks.ts';
import type { Reads } from './reads.ts';

export type Access =
  /** A read of the newest commits, with independent statements. */
  | 'read'
  /** A read whose statements see one moment. */
  | 'snapshot'
  /** A write in one transaction, as if alone. */
  | 'write'
  /** A write that is correct in any order with others, such as one statement. */
  | 'statement'
  /** A task of the operator, possibly long. */
  | 'task';

const ACCESS = {
  saveChallenge: 'statement',
  consumeChallenge: 'statement',
  createSession: 'write',
  deleteSession: 'statement',
  findCredential: 'read',
  touchCredential: 'statement',

  readProfile: 'read',
  claimHandle: 'write',
  setDisplayName: 'write',
  setDeveloperAccess: 'write',
  createApiKey: 'write',
  listApiKeys: 'read',
  revokeApiKey: 'write',

  findHandle: 'read',
  findHandleOf: 'read',

  readDevices: 'snapshot',
  readLists: 'read',
  publishDevices: 'write',
  publishSealKey: 'write',

  findQueue: 'read',
  queuedBytes: 'read',
  readInbox: 'read',
  findFilledQueues: 'read',

  saveLink: 'write',
  findLink: 'read',
  saveOffer: 'write',

  findBlob: 'snapshot',
  beginBlob: 'write',
  nameUpload: 'write',
  recordPart: 'write',
  finishBlob: 'write',
  adoptBlob: 'write',
  dropClaim: 'write',
  expireClaims: 'write',
  findBytesToDrop: 'read',
  findKnownBytes: 'read',
  forgetBytes: 'write',
  storedBlobBytes: 'read',

  hasAccount: 'read',
  createAccountInvitation: 'write',
  deleteAccount: 'write',
  cancelDeletion: 'write',
  deleteDueAccount: 'write',

  listUsage: 'task',
  listReports: 'task',
  saveReport: 'write',
  resolveReport: 'write',
  listHandles: 'task',
  listGroups: 'task',
  listAccountInvitations: 'task',
  revokeAccountInvitation: 'write',
  listAdmitted: 'task',
  setAdmitted: 'write',
  readAudit: 'task',
  verifyAudit: 'task',
  setHandleVerified: 'write',
  setGroupVerified: 'write',
  setSuspended: 'write',
  removeGroup: 'write',

  findGroup: 'read',
  isMember: 'read',
  isInChain: 'read',
  admitToGroup: 'write',
  isAdmitted: 'read',
  readRoster: 'snapshot',
  readListsOf: 'read',
  readEntries: 'read',
  setListed: 'write',
  createGroupToken: 'write',
  listGroupTokens: 'read',
  revokeGroupToken: 'write',
} as const satisfies Record<string, Access>;

type Name<A extends Access> = {
  [N in keyof typeof ACCESS]: (typeof ACCESS)[N] extends A ? N : never;
}[keyof typeof ACCESS];

/** A task without its first parameter, the database. */
type Task<F> = F extends (database: never, ...args: infer Rest) => infer Result
  ? (...args: Rest) => Result
  : never;

type Implementation<N extends keyof typeof ACCESS> = N extends keyof Reads & Name<'read' | 'snapshot'>
  ? Reads[N]
  : N extends keyof Operations & Name<'write' | 'statement'>
    ? Operations[N]
    : N extends OperatorTaskName & Name<'task'>
      ? Task<(typeof OPERATOR_TASKS)[N]>
      : never;

export interface Driver {
  read(name: Name<'read'> & keyof Reads, args: readonly unknown[]): Promise<unknown>;
  snapshot(name: Name<'snapshot'> & keyof Reads, args: readonly unknown[]): Promise<unknown>;
  write(name: Name<'write'> & keyof Operations, args: readonly unknown[]): Promise<unknown>;
  statement(name: Name<'statement'> & keyof Operations, args: readonly unknown[]): Promise<unknown>;
  task(name: Name<'task'> & OperatorTaskName, args: readonly unknown[]): Promise<unknown>;
}

export type CommonOperations = {
  [N in keyof typeof ACCESS]: (
    ...args: Parameters<Implementation<N>>
  ) => Promise<Awaited<ReturnType<Implementation<N>>>>;
};

/** The common operations, run by an engine's driver. */
export function commonOperations(driver: Driver): CommonOperations {
  const run = driver as unknown as Record<
    Access,
    (name: string, args: readonly unknown[]) => Promise<unknown>
  >;
  const entries = Object.entries(ACCESS).map(([name, access]) => [
    name,
    (...args: unknown[]) => run[access](name, args),
  ]);
  return Object.fromEntries(entries) as CommonOperations;
}

/** Calls a method of reads or operations by its name. */
export function callByName(methods: object, name: string, args: readonly unknown[]): Promise<unknown> {
  return (methods as Record<string, (...args: readonly unknown[]) => Promise<unknown>>)[name]?.(
    ...args,
  ) as Promise<unknown>;
}
