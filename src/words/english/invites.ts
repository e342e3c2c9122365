/** Invite links, opened or pasted. */
export const invites = {
  title: 'Invite link',
  reading: 'Reading the invite link…',
  groupTitle: 'Join “{name}”?',
  groupTitleUnknown: 'Join this group?',
  groupUnknown: 'The group’s name is shown after joining.',
  personTitle: '{name} invited you',
  handleStated:
    'Only the server states that {handle} has this address. To be sure, verify the address in the details of the chat.',
  member: 'You’re already in this group',
  server: 'On {server}',
  pasted: 'This is an invite link.',
  open: 'Open invite link',

  // To the person
  people: 'Invite people',
  own: 'Invite link',
  ownText: 'Give someone a link to chat with you. Their first message isn’t a request.',
  ownNew: 'New link',
  ownList: 'Your invite links',
  ownExpiresDays: 'Works once, expires in {count, plural, one {# day} other {# days}}',
  ownExpiresHours: 'Works once, expires in {count, plural, one {# hour} other {# hours}}',
  ownCopy: 'Copy link',
  ownCopyOf: 'Copy link that expires on {date}',
  ownCopied: 'Link copied',
  ownCode: 'QR code',
  ownCodeOf: 'QR code of the link that expires on {date}',
  ownCodeLabel: 'QR code of the invite link',
  ownCancel: 'Cancel link',
  ownCancelOf: 'Cancel link that expires on {date}',
  ownCancelText: 'Messages of people who use it become requests. You can’t undo this.',
  ownCanceled: 'Link canceled',
} as const;
