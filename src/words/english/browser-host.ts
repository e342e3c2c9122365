/** Texts of the browser host's page while the interface is not running. */
export const browserHost = {
  stopped: 'Waxwing isn’t running',
  stoppedHelp: 'Start it again in the terminal, and open the link that it shows.',
  ended: 'This page is disconnected',
  endedHelp:
    'Waxwing was started again, or unlocked on another page. In the terminal, press Enter and open the new link.',
  linkUsed: 'This link no longer works',
  linkUsedHelp:
    'Each link works once, within ten minutes. In the terminal, press Enter and open the new link.',
} as const;
