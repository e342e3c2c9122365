/** What more than one screen says. */
export const common = {
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  continue: 'Continue',
  done: 'Done',
  tryAgain: 'Try again',
} as const;
