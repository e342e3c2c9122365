/** A relay's error messages for its operator: for each reason its parameters, and its sentence. */
import type { ParametersOf } from '../../protocol/faults.ts';

/** The fault of a limit, where its schema has no message of its own. */
export const LIMIT_FAULTS = {
  body_long: 'has to be at most 8 MiB, so that reading it does not hold up all others',
  body_short: 'has to be at least twice payloadBytes and 2,232 more, to hold one envelope',
  stalled_short: 'has to be above the hold of a poll',
} as const;

export const OPERATOR_SENTENCES = {
  public_url_insecure: ({ url }: { url: string }) =>
    `Clients would send their credentials unprotected to ${url}. Put a proxy with TLS in front of the relay and give its https URL, or accept this with --insecure-http.`,
  metrics_port: ({ host, port, reason }: { host: string; port: number; reason: string }) =>
    `The metrics cannot be served on port ${port} of ${host}: ${reason}.`,

  limits_not_json: () => 'The limits are not JSON.',
  limit_unknown: ({ limit }: { limit: string }) => `There is no limit “${limit}”.`,
  /** `limit` is empty for a fault of the whole. */
  limit_unusable: ({ limit, fault }: { limit: string; fault: string }) =>
    `The limit ${limit || 'file'} cannot be used: ${fault}.`,

  database_unsynced: ({ journal, synchronous }: { journal: string; synchronous: string }) =>
    `The relay's database does not sync every commit (journal ${journal}, synchronous ${synchronous}), so what it accepts could be lost. Put the data directory on a local disk.`,
  database_newer: ({ version, known }: { version: number; known: number }) =>
    `The relay's database is of version ${version}, and this relay knows version ${known}. Use the newer relay.`,
  postgres_old: ({ version, oldest }: { version: number; oldest: number }) =>
    `The relay needs PostgreSQL ${oldest} or newer, and this is ${version}.`,
  postgres_unsynced: ({ setting, value }: { setting: string; value: string }) =>
    `PostgreSQL runs with ${setting} = ${value}, so what the relay accepts could be lost. Set it to on.`,
  postgres_encoding: ({ encoding }: { encoding: string }) =>
    `The relay's database keeps texts as ${encoding}. Make one with the encoding UTF8.`,
  postgres_read_only: () => 'The PostgreSQL server takes no writes. Name the primary.',
  postgres_left_behind: ({ timeline, newest }: { timeline: number; newest: number }) =>
    `This PostgreSQL server is on timeline ${timeline}, and a standby was promoted to timeline ${newest} since: it is an old primary. Make it a standby of the new one.`,
  postgres_other: () =>
    'This PostgreSQL server is no copy of the one that the relay has used. If that is on purpose, start the relay again.',
  database_url_malformed: () =>
    'The URL of the database cannot be read. It is written as postgres://user:password@host:5432/database, with several servers as host1:5432,host2:5432. In the password / ? # @ and % are written as %2F %3F %23 %40 and %25.',
  database_servers_many: ({ most }: { most: number }) =>
    `The URL of the database names too many servers. ${most} can be named.`,
  database_wants_standby: ({ wanted }: { wanted: string }) =>
    `The relay writes, so it cannot use a server that takes no writes (target_session_attrs=${wanted}). Say read-write.`,
  /** `user` runs the relay; `file` belongs to `owner`, both as names or numbers. */
  database_forbidden: ({ file, user, owner }: { file: string; user: string; owner: string }) =>
    `The relay runs as ${user} and may not write ${file}, which belongs to ${owner}. Give it to the relay: chown ${user} ${file}*`,
  database_unusable: ({ reason }: { reason: string }) => `The relay's database cannot be used: ${reason}.`,

  move_source_missing: ({ file }: { file: string }) => `There is no file ${file}.`,
  move_source_unknown: ({ file }: { file: string }) =>
    `${file} is not the database of a relay. It is called relay.db, in the data folder.`,
  move_source_busy: ({ file }: { file: string }) =>
    `Another program has ${file} open. Stop the relay that uses it, and try again.`,
  move_source_older: ({ file, version, known }: { file: string; version: number; known: number }) =>
    `${file} is of version ${version}, and this program moves version ${known}. Start this relay on it once, stop it, and try again.`,
  move_source_unusable: ({ file, reason }: { file: string; reason: string }) =>
    `${file} cannot be read: ${reason}.`,
  move_target_taken: () =>
    'The PostgreSQL database holds a relay already, which did not come from this file. Nothing was changed. Name an empty database.',
  move_target_busy: () => 'Another waxwing relay migrate is at work on this PostgreSQL database.',
  move_table_unlike: ({ table }: { table: string }) =>
    `The table ${table} of the file does not look like the one that this relay makes in PostgreSQL. Start this relay on the file once, stop it, and try again.`,
  /** `table` is the table of the first difference. */
  move_differs: ({ table }: { table: string }) =>
    `The copy is not the same as the file: the table ${table} differs. Something else has written to the PostgreSQL database. Begin again with an empty one.`,
  move_interrupted: ({ reason }: { reason: string }) =>
    `The copy stopped: ${reason}. Give the same command again: it goes on where it stopped.`,
  database_moved: ({ file, note }: { file: string; note: string }) =>
    `The relay of ${file} was moved to PostgreSQL. Name that with --database or WAXWING_DATABASE_URL. To go back to the file, which has nothing that came since, delete ${note}.`,
  move_unfinished: () =>
    'A relay is being moved into this PostgreSQL database, and that is not finished. Give waxwing relay migrate again.',

  blobs_place_malformed: () =>
    'This is neither a folder nor a bucket. A bucket is written as s3://bucket/prefix?endpoint=https://s3.example&region=eu-1',
  blobs_credentials_missing: () =>
    'A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.',
  /** `reason` is the system’s or the service’s name for it. */
  blobs_unusable: ({ reason }: { reason: string }) =>
    `Files cannot be stored where you said: ${reason}. Check the folder, or the bucket, its region and its credentials.`,

  folder_path_long: ({ folder, most }: { folder: string; most: number }) =>
    `The path of the folder ${folder} is too long for a socket in it, so the relay cannot be administered. Move the data to a folder whose path has at most ${most} bytes.`,
  door_unusable: ({ reason }: { reason: string }) =>
    `The relay cannot listen for its operator: ${reason}. Put the data on a local disk.`,
  relay_forbidden: ({ folder }: { folder: string }) =>
    `Your account may not speak to the relay of ${folder}. Use the account that runs it.`,
  relay_not_running: ({ folder }: { folder: string }) =>
    `No relay runs with the data in ${folder}. Start it with: waxwing relay --data ${folder}`,
  relay_silent: ({ folder, reason }: { folder: string; reason: string }) =>
    `The relay of ${folder} does not answer: ${reason}`,
  relay_stopped: ({ folder }: { folder: string }) => `The relay of ${folder} stopped before it answered.`,
  relay_of_other_version: ({ folder }: { folder: string }) =>
    `The relay of ${folder} answered something that this version does not know. Use the version that runs it.`,

  handle_unknown: ({ handle }: { handle: string }) => `Nobody has the handle @${handle} here.`,
  account_unknown: ({ address }: { address: string }) => `${address} has no account here.`,
  group_unknown: ({ id }: { id: string }) => `There is no group with the id ${id} here.`,
  group_name_differs: ({ id, name, given }: { id: string; name: string; given: string }) =>
    `The group ${id} is called “${name}”, not “${given}”. Nothing was removed.`,
  backup_exists: ({ file }: { file: string }) =>
    `The backup ${file} could not be written: there is a file of that name already.`,
  backup_by_postgres: () =>
    'The database of this relay is PostgreSQL. Back it up with pg_dump, or with your server’s own backups.',
  invitation_unknown: ({ id }: { id: string }) => `There is no invitation code with the id ${id} here.`,
  report_unknown: ({ id }: { id: string }) =>
    `There is no report with the id ${id}. It may be settled, or the account that made it may be gone.`,
  invitation_expiry: () => 'An invitation code ends in the future, and after a year at most.',
  invitations_full: ({ most }: { most: number }) =>
    `There are ${most} invitation codes that can still be spent. Revoke some first.`,
  backup_failed: ({ file, reason }: { file: string; reason: string }) =>
    `The backup ${file} could not be written: ${reason}.`,
  store_unavailable: ({ reason }: { reason: string }) =>
    `The relay cannot store anything at the moment: ${reason}.`,
  relay_failed: () => 'The relay failed. Its log says why.',

  audit_start_missing: () => 'The beginning of the audit log is missing.',
  audit_row_missing: ({ row }: { row: number }) => `Row ${row} of the audit log is missing.`,
  audit_row_changed: ({ row }: { row: number }) => `Row ${row} of the audit log is not as it was written.`,
};

type Sentences = typeof OPERATOR_SENTENCES;
export type OperatorReason = keyof Sentences;

/** The parameters of a reason's sentence. */
export type OperatorParameters<R extends OperatorReason> = ParametersOf<Sentences[R]>;
