/**
 * Handles that people would take for the operator or the program. Names of a part in a group, such as @owner or @team, are
 * free. The last line has names of RFC 2142, which are known as addresses of an operator.
 */
const RESERVED = new Set([
  ...['admin', 'administrator', 'echo', 'helpdesk', 'moderator', 'official', 'operator', 'root'],
  ...['security', 'support', 'sysadmin', 'waxwing'],
  ...['abuse', 'hostmaster', 'postmaster', 'webmaster'],
]);

/** Reports whether a handle is reserved, also with underscores added. */
export function isReservedHandle(handle: string): boolean {
  return RESERVED.has(handle.replaceAll('_', ''));
}
