/**
 * Handles that people would take for the operator or the program. The last line has names of RFC 2142, which are known
 * as addresses of an operator.
 */
const RESERVED = new Set([
  ...['admin', 'administrator', 'echo', 'help', 'helpdesk', 'mod', 'moderator', 'official', 'operator'],
  ...['owner', 'relay', 'root', 'security', 'server', 'staff', 'support', 'sysadmin', 'system', 'team'],
  ...['verified', 'verify', 'waxwing'],
  ...['abuse', 'hostmaster', 'info', 'noc', 'postmaster', 'webmaster'],
]);

/** Reports whether nobody can claim a handle, also with underscores added. */
export function isReservedHandle(handle: string): boolean {
  return RESERVED.has(handle.replaceAll('_', ''));
}
