/** What more than one screen says. */
export const common = {
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  continue: 'Continue',
  done: 'Done',
  tryAgain: 'Try again',

  // What became of a key or token
  created: 'Created {date}',
  lastUsed: 'Last used {date}',
  neverUsed: 'Never used',
  revoked: 'Revoked {date}',
} as const;
