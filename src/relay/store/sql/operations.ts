/** Every write by name: the changes that a store makes in one transaction. */
import type { Database } from './database.ts';
import { accountEndWrites } from './writes/account-end.ts';
import { admissionWrites } from './writes/admission.ts';
import { apiKeyWrites } from './writes/api-keys.ts';
import { auditWriter } from './writes/audit.ts';
import { blobWrites } from './writes/blobs.ts';
import { deviceWrites } from './writes/devices.ts';
import { groupAdmissionWrites } from './writes/group-admissions.ts';
import { groupPostWrites } from './writes/group-posts.ts';
import { groupTokenWrites } from './writes/group-tokens.ts';
import { linkWrites } from './writes/links.ts';
import { loginWrites } from './writes/login.ts';
import { mailWrites } from './writes/mail.ts';
import { operatorWrites } from './writes/operator.ts';
import { profileWrites } from './writes/profile.ts';
import { reportWrites } from './writes/reports.ts';
import { rosterWrites } from './writes/rosters.ts';

/** The writes on one connection, their statements prepared once. */
export function prepareOperations(database: Database) {
  const audit = auditWriter(database);
  return {
    ...loginWrites(database, audit),
    ...apiKeyWrites(database, audit),
    ...admissionWrites(database, audit),
    ...accountEndWrites(database, audit),
    ...profileWrites(database, audit),
    ...deviceWrites(database, audit),
    ...mailWrites(database),
    ...blobWrites(database),
    ...linkWrites(database),
    ...groupTokenWrites(database, audit),
    ...rosterWrites(database, audit),
    ...groupAdmissionWrites(database),
    ...groupPostWrites(database),
    ...operatorWrites(database, audit),
    ...reportWrites(database, audit),
  };
}

export type Operations = ReturnType<typeof prepareOperations>;
export type OperationName = keyof Operations;
