/**
 * The exit codes of `waxwing`, which scripts may rely on.
 */

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  credential: 3,
  unreachable: 4,
  notFound: 5,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The meanings, for `--help` and docs/cli.md. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  [EXIT.ok]: 'done',
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'the command or a setting is wrong; nothing was changed, and a restart does not help',
  [EXIT.credential]: 'a credential or identity is missing, refused, or not allowed to do this',
  [EXIT.unreachable]: 'the relay cannot be reached or is busy; trying again later may help',
  [EXIT.notFound]: 'there is no such person, device, group, token or key',
};
