/** Parts that fill or cover a window, so that each is shown alone: `gallery.html?show=` with its name. */
export const alone = [
  'dialog',
  'confirmation',
  'secret reveal',
  'first run: server',
  'first run: identity',
  'first run: phrase',
  'first run: confirm',
  'first run: import',
  'first run: link',
  'first run: profile',
  'opening',
  'something went wrong',
  'settings in a browser',
  'settings on macOS',
  'settings on Windows',
  'new chat',
  'groups',
  'command palette',
  'details of a contact',
  'details of a contact with two lists',
  'details of a group',
] as const;

export type AloneName = (typeof alone)[number];
