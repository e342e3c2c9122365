/** Errors of the system, and of Node's permissions, that a restart does not end: someone has to change a setting, an owner or a mode. */

const LASTING = ['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS', 'ERR_ACCESS_DENIED'];

/**
 * Reports whether a path or port stays unusable until a person acts, unlike after a full disk or a port in use.
 * @param code the system's error code
 */
export function isLasting(code: string): boolean {
  return LASTING.includes(code);
}
