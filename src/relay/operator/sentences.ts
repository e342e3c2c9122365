/** A relay's error messages for its operator: for each reason its parameters, and its sentence. */
import type { ParametersOf } from '../../protocol/faults.ts';

/** The fault of a limit, where its schema has no message of its own. */
export const LIMIT_FAULTS = {
  body_long: 'must be at most 8 MiB, because a larger body would delay all other requests',
  body_short: 'must be at least 2 × payloadBytes + 2,232, the size of one envelope',
  payload_short: 'must be at least 1024 bytes, the size of a short message',
  timeout_short: 'must be at least 1000 milliseconds, so that clients on slow networks can finish a call',
  stalled_short: 'must be greater than the longest wait of a poll',
  timer_long: 'must be at most 2147483647 milliseconds, the longest timer',
  headers_long: 'must be at most requestTimeout or blobPartTimeout, the longer of them',
} as const;

const metricsReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it. Choose another with --metrics-port.',
  EACCES: 'this account is not allowed to use it. Choose another with --metrics-port, 1024 or above.',
  EADDRNOTAVAIL: 'this computer has no such address. Choose another with --metrics-host.',
  ENOTFOUND: 'there is no such name. Set an address with --metrics-host.',
};

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'the account of the relay is not allowed to read it',
  EISDIR: 'it is a folder',
};

const folderFaults: Readonly<Record<string, string>> = {
  ENOENT: 'it cannot be made there',
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'the account of the relay is not allowed to write there',
  EPERM: 'the account of the relay is not allowed to write there',
  EROFS: 'the disk is read-only',
  ERR_ACCESS_DENIED: "Node's permissions do not allow it",
  EDQUOT: 'the disk is full',
  ENOSPC: 'the disk is full',
};

const backupFaults: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder. Add the name of a file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'the account of the relay is not allowed to write there',
  EPERM: 'the account of the relay is not allowed to write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

export const OPERATOR_SENTENCES = {
  public_url_insecure: ({ url }: { url: string }) =>
    `Clients would send their credentials unprotected to ${url}. Put a proxy with TLS in front of the relay and give its https URL, or accept this with --insecure-http.`,
  /** `reason` is the system's code. */
  metrics_port: ({ host, port, reason }: { host: string; port: number; reason: string }) =>
    `The relay cannot serve metrics on port ${port} of ${host}: ${metricsReasons[reason] ?? `${reason}.`}`,

  limits_not_json: () => 'The limits are not JSON.',
  limit_unknown: ({ limit }: { limit: string }) => `Unknown limit: “${limit}”.`,
  /** `limit` is empty for a fault of the whole file. */
  limit_unusable: ({ limit, fault }: { limit: string; fault: string }) =>
    `The limit ${limit || 'file'} cannot be used: ${fault}.`,

  database_unsynced: ({ journal, synchronous }: { journal: string; synchronous: string }) =>
    `The relay's database does not sync every commit (journal ${journal}, synchronous ${synchronous}), so accepted data could be lost. Put the data directory on a local disk.`,
  database_newer: ({ version, known }: { version: number; known: number }) =>
    `The relay's database has version ${version}, and this relay supports version ${known}. Use a newer relay.`,
  postgres_old: ({ version, oldest }: { version: number; oldest: number }) =>
    `The relay needs PostgreSQL ${oldest} or newer. This server has version ${version}.`,
  postgres_unsynced: ({ setting, value }: { setting: string; value: string }) =>
    `PostgreSQL runs with ${setting} = ${value}, so accepted data could be lost. Set it to on.`,
  postgres_encoding: ({ encoding }: { encoding: string }) =>
    `The relay's database has the encoding ${encoding}. Create one with the encoding UTF8.`,
  postgres_read_only: () => 'The PostgreSQL server is read-only. Set the URL of the primary.',
  postgres_left_behind: ({ timeline, newest }: { timeline: number; newest: number }) =>
    `This PostgreSQL server is an old primary: it is on timeline ${timeline}, and a standby has been promoted to timeline ${newest}. Make it a standby of the new primary.`,
  postgres_other: () =>
    'This PostgreSQL server is not a copy of the server that the relay has used. If this is intended, restart the relay.',
  database_url_malformed: () =>
    'The URL of the database, in --database, --to or WAXWING_DATABASE_URL, is malformed. Write it as postgres://user:password@host:5432/database, and several servers as host1:5432,host2:5432. In the password, write / ? # @ and % as %2F %3F %23 %40 and %25.',
  database_servers_many: ({ most }: { most: number }) =>
    `The URL of the database has too many servers. The limit is ${most}.`,
  database_wants_standby: ({ wanted }: { wanted: string }) =>
    `The relay needs a server that accepts writes, and the URL asks for a read-only one (target_session_attrs=${wanted}). Set it to read-write.`,
  database_parameter_unknown: ({ name, allowed }: { name: string; allowed: string }) =>
    `The URL of the database has an unknown value of ${name}. Use one of: ${allowed}.`,
  /** `reason` is the system's code, or a clause. */
  database_url_file: ({ name, file, reason }: { name: string; file: string; reason: string }) =>
    `The file ${file}, named by ${name} in the URL of the database, cannot be read: ${fileFaults[reason] ?? reason}. Put the file there, readable by the relay's account, or correct the URL.`,
  /** `user` runs the relay; `file` belongs to `owner`, both as names or numbers. */
  database_forbidden: ({ file, user, owner }: { file: string; user: string; owner: string }) =>
    `The relay runs as ${user} and is not allowed to write ${file}, which belongs to ${owner}. Change the owner: chown ${user} ${file}*`,
  database_damaged: ({ file, reason }: { file: string; reason: string }) =>
    `${file} is damaged (${reason}). Stop all programs that use it, move it away together with the files beside it that begin with its name, and restore relay.db from a backup.`,
  database_empty: ({ file }: { file: string }) =>
    `${file} is empty. Restore a backup, or remove all files that begin with this name to start a new relay.`,
  database_folder: ({ file }: { file: string }) =>
    `${file} is a folder, and the relay needs a file there. Move the folder away, and restore a backup as relay.db if this relay had one.`,
  database_replaced: ({ file }: { file: string }) =>
    `${file} was removed or replaced while the relay used it, so the relay stopped. The calls since then were refused. Restore a backup, or start the relay if the file there now is the right one.`,
  database_missing: ({ file }: { file: string }) =>
    `${file} is missing, but its log ${file}-wal is there. Restore a backup, or remove all files that begin with this name to start a new relay.`,
  database_lost: ({ file, note }: { file: string; note: string }) =>
    `${file} is missing, and a relay has used it before. Mount its disk or restore a backup. To start a new, empty relay in its place, delete ${note}.`,
  database_link_broken: ({ file }: { file: string }) =>
    `${file} is a link to a file that is missing. Mount the disk of that file, or remove the link to start a new relay.`,
  database_unusable: ({ reason }: { reason: string }) => `The relay's database cannot be used: ${reason}.`,

  move_source_missing: ({ file }: { file: string }) => `There is no file ${file}.`,
  move_source_folder: ({ folder }: { folder: string }) =>
    `${folder} is a folder. Give the database in it: --from ${folder}/relay.db`,
  move_source_unknown: ({ file }: { file: string }) =>
    `${file} is not the database of a relay. The database is relay.db in the data folder.`,
  move_source_busy: ({ file }: { file: string }) =>
    `Another program has ${file} open. Stop the relay that uses it, and try again.`,
  move_source_older: ({ file, version, known }: { file: string; version: number; known: number }) =>
    `${file} has version ${version}, and this program migrates version ${known}. Start this relay with it once, stop it, and try again.`,
  move_source_unusable: ({ file, reason }: { file: string; reason: string }) =>
    `${file} cannot be read: ${reason}.`,
  move_target_taken: () =>
    'The PostgreSQL database already contains a relay, and it is not from this file. Nothing was changed. Use an empty database.',
  move_target_busy: () => 'Another waxwing relay migrate is running on this PostgreSQL database.',
  move_table_unlike: ({ table }: { table: string }) =>
    `The table ${table} of the file has other columns than in PostgreSQL. Start this relay with the file once, stop it, and try again.`,
  /** `table` is the table of the first difference. */
  move_differs: ({ table }: { table: string }) =>
    `The copy differs from the file in the table ${table}. Another program has written to the PostgreSQL database. Start again with an empty database.`,
  move_interrupted: ({ reason }: { reason: string }) =>
    `The copy stopped: ${reason}. Run the same command again to continue.`,
  database_moved: ({ file, note }: { file: string; note: string }) =>
    `The relay of ${file} was migrated to PostgreSQL. Set that database with --database or WAXWING_DATABASE_URL. To go back to the file, which lacks all later data, delete ${note}.`,
  move_unfinished: () =>
    'The migration of a relay into this PostgreSQL database is not complete. Run waxwing relay migrate again.',

  blobs_place_malformed: () =>
    'This is neither a folder nor a bucket. Write a bucket as s3://bucket/prefix?endpoint=https://s3.example&region=eu-1',
  blobs_credentials_missing: () =>
    'A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.',
  /** `reason` is the error code of the system or the service. */
  blobs_bucket_unusable: ({ endpoint, name, reason }: { endpoint: string; name: string; reason: string }) =>
    `Files cannot be stored in the bucket ${name} at ${endpoint}: ${reason}. Check the endpoint, the bucket, its region and its credentials.`,
  /** `reason` is the system's code. */
  blobs_folder_unusable: ({ folder, reason }: { folder: string; reason: string }) =>
    `Files cannot be stored in ${folder}: ${folderFaults[reason] ?? reason}. Choose another folder with --blobs, or correct this one.`,

  folder_path_long: ({ folder, most }: { folder: string; most: number }) =>
    `The path of the folder ${folder} is too long for the administration socket. Move the data to a folder whose path has at most ${most} bytes.`,
  door_unusable: ({ reason }: { reason: string }) =>
    `The relay cannot open its administration socket: ${reason}. Put the data on a local disk.`,
  relay_forbidden: ({ folder }: { folder: string }) =>
    `Your account is not allowed to administer the relay of ${folder}. Use the account that runs it.`,
  relay_not_running: ({ folder }: { folder: string }) =>
    `No relay is running with the data in ${folder}. Start it with: waxwing relay --data ${folder}`,
  relay_silent: ({ folder, reason }: { folder: string; reason: string }) =>
    `The relay of ${folder} does not answer: ${reason}`,
  relay_stopped: ({ folder }: { folder: string }) => `The relay of ${folder} stopped before it answered.`,
  relay_of_other_version: ({ folder }: { folder: string }) =>
    `The relay of ${folder} sent an answer that this version does not support. Use the version that the relay has.`,

  handle_unknown: ({ handle }: { handle: string }) => `No account here has the handle @${handle}.`,
  account_unknown: ({ address }: { address: string }) => `${address} has no account here.`,
  group_unknown: ({ id }: { id: string }) => `There is no group with the id ${id} here.`,
  group_name_differs: ({ id, name, given }: { id: string; name: string; given: string }) =>
    `The name of the group ${id} is “${name}”, not “${given}”. Nothing was removed.`,
  backup_exists: ({ file }: { file: string }) =>
    `The backup ${file} could not be written: the file already exists.`,
  backup_by_postgres: () =>
    'The database of this relay is PostgreSQL. Back it up with pg_dump, or with your server’s own backups.',
  invitation_unknown: ({ id }: { id: string }) => `There is no invitation code with the id ${id} here.`,
  report_unknown: ({ id }: { id: string }) =>
    `There is no report with the id ${id}. It may be closed, or the account that sent it may be deleted.`,
  invitation_expiry: () => 'The end of an invitation code must be in the future, and at most one year ahead.',
  invitations_full: ({ most }: { most: number }) =>
    `There are ${most} unused invitation codes, which is the limit. Revoke some first.`,
  /** `reason` is the system's code, or a clause. */
  backup_failed: ({ file, reason }: { file: string; reason: string }) =>
    `The backup ${file} could not be written: ${backupFaults[reason] ?? reason}.`,
  store_unavailable: ({ reason }: { reason: string }) =>
    `The relay cannot store anything at the moment: ${reason}.`,
  relay_failed: () => 'The relay failed. Its log has the reason.',

  audit_start_missing: () => 'The beginning of the audit log is missing.',
  audit_row_missing: ({ row }: { row: number }) => `Row ${row} of the audit log is missing.`,
  audit_row_changed: ({ row }: { row: number }) => `Row ${row} of the audit log was changed.`,
};

type Sentences = typeof OPERATOR_SENTENCES;
export type OperatorReason = keyof Sentences;

/** The parameters of a reason's sentence. */
export type OperatorParameters<R extends OperatorReason> = ParametersOf<Sentences[R]>;
