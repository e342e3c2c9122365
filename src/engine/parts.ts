/** The parts of an engine for its procedures. */
import { Failure } from '../base/failure.ts';
import type { AutomaticBackups } from './backup/automatic.ts';
import type { Backups } from './backup/backups.ts';
import type { Context } from './context.ts';
import type { FileAddresses } from './files/addresses.ts';
import type { FileClearing } from './files/clearing.ts';
import type { FileThread } from './files/thread.ts';
import type { Online } from './online.ts';

/** The parts for procedures. */
export interface EngineParts {
  readonly context: Context;
  readonly relays: { embedded: string | null; fixed: string | null };
  /** null until the identity is set up and registered. */
  online: Online | null;
  /** Starts the outbox and the poller for the stored identity. */
  goOnline(): Online;
}

/** The same with files. */
export interface FileParts extends EngineParts {
  /** Seals, opens and transfers files. */
  readonly thread: FileThread;
  /** Addresses of files for pages. */
  readonly addresses: FileAddresses;
  /** Removes files from the disk. */
  readonly clearing: FileClearing;
  /** Makes and restores backups. */
  readonly backups: Backups;
  /** Makes one each day in a folder. */
  readonly automaticBackups: AutomaticBackups;
}

/**
 * The running account.
 * @throws Failure before set-up
 */
export function requireOnline(parts: EngineParts): Online {
  if (!parts.online) throw new Failure('not_set_up');
  return parts.online;
}
