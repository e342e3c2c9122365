/** What the page of the browser host says when the interface cannot. */
export const browserHost = {
  stopped: 'Waxwing isn’t running',
  stoppedHelp:
    'This page continues when Waxwing runs again. Restart Waxwing in the terminal and open the new link.',
  linkUsed: 'This link no longer works',
  linkUsedHelp:
    'Each link works once, within ten minutes. In the terminal, press Enter and open the new link.',
} as const;
