/** Links of a chat, in the details. */
export const links = {
  shared: 'Links',
  none: 'No links yet',
  showOf: 'Show {name} in chat',
} as const;
