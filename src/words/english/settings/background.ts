/** Texts about running in the background and starting at login. */
export const background = {
  keepRunning: 'Keep running when the window is closed',
  findKeepRunning: 'background, tray, close window, quit, exit',
  keepRunningText: 'Waxwing keeps receiving messages.',
  keepRunningNoTray: 'Your desktop has no tray icons, so closing the window quits Waxwing.',
  keepRunningHidden:
    'Waxwing keeps receiving messages. Your desktop has no tray icons: start Waxwing again to see the window.',
  startAtLogin: 'Start when you log in',
  findStartAtLogin: 'autostart, login, launch, startup, open, boot',
  startAtLoginText: 'Starts in the tray, without a window',
  startAtLoginWindow: 'Opens the window',
} as const;
