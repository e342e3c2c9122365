/** Texts of the browser host's page while the interface is not running. */
export const browserHost = {
  stopped: 'Waxwing isn’t running',
  stoppedHelp:
    'Waxwing has stopped. Start it again in the terminal: this page then continues. If it doesn’t, open the link that the terminal shows.',
  linkUsed: 'This link no longer works',
  linkUsedHelp:
    'Each link works once, within ten minutes. In the terminal, press Enter and open the new link.',
} as const;
