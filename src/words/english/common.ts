/** Texts of several screens. */
export const common = {
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  continue: 'Continue',
  done: 'Done',
  // Under a field for a name
  left: '{count, plural, one {# character left} other {# characters left}}',
  tooLong: 'Too long: {count, plural, one {# character} other {# characters}} over the limit',
  searchClear: 'Clear search',
  tryAgain: 'Try again',

  // A key or token: its state, and its end
  created: 'Created {date}',
  lastUsed: 'Last used {date}',
  neverUsed: 'Never used',
  revoked: 'Revoked {date}',
  revoke: 'Revoke',
  revokeText: 'Programs using it stop working now. You can’t undo this.',
  exampleTest: 'Test it with curl',
} as const;
