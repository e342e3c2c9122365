/** Texts of the Help page. */
export const help = {
  help: 'Help',
  findHelp: 'support, copy diagnostics, logs, problem, bug report',
  helpText:
    'Diagnostics help us find a problem: versions, settings, counts and the newest log entries. They have no messages, names or addresses.',
  logsOpen: 'Open log folder',
  logsShow: 'Show log folder',
  logs: 'Log folder',
  logsCopy: 'Copy the path',
} as const;
