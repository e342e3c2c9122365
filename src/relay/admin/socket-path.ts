/**
 * The address of a running relay's operator socket: a Unix socket in its data folder, or a named pipe on Windows.
 */

import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { OperatorFailure } from '../operator/failure.ts';

/** The longest path of a Unix socket, in bytes: `sun_path` of the operating system, without its last zero. */
const MAX_BYTES: Readonly<Partial<Record<NodeJS.Platform, number>>> = { linux: 107 };
const MAX_BYTES_ELSEWHERE = 103;

/**
 * The address of the operator's socket for this data folder.
 * @throws OperatorFailure folder_path_long
 */
export function adminSocketPath(dataDirectory: string, platform = process.platform): string {
  const folder = resolve(dataDirectory);
  if (platform === 'win32') return `\\\\.\\pipe\\waxwing-relay-${hash('sha256', folder.toLowerCase())}`;
  const path = join(folder, 'admin.sock');
  const most = MAX_BYTES[platform] ?? MAX_BYTES_ELSEWHERE;
  if (Buffer.byteLength(path) <= most) return path;
  throw new OperatorFailure('folder_path_long', { folder, most: most - '/admin.sock'.length });
}
