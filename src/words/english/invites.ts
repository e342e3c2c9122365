/** Invite links, opened or pasted. */
export const invites = {
  title: 'Invite link',
  reading: 'Reading the invite link…',
  groupTitle: 'Join “{name}”?',
  groupTitleUnknown: 'Join this group?',
  groupUnknown: 'The group’s name is shown after joining.',
  server: 'On {server}',
  pasted: 'This is an invite link.',
  open: 'Open invite link',
} as const;
