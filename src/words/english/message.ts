/** Actions on a message, and its labels. */
export const message = {
  // The menu, the bar and the keys
  actions: 'Message actions',
  react: 'React',
  reply: 'Reply',
  more: 'More',
  openLink: 'Open link',
  copyLink: 'Copy link address',
  copyText: 'Copy text',
  copyMarkdown: 'Copy as Markdown',
  edit: 'Edit',
  forward: 'Forward',
  save: 'Save…',
  pin: 'Pin',
  unpin: 'Unpin',
  select: 'Select',
  markUnread: 'Mark unread from here',
  info: 'Message info',
  delete: 'Delete',

  // With a message
  deleted: 'Message deleted',
  deletedBy: 'Message deleted by <bdi>{name}</bdi>',
  forwarded: 'Forwarded',
  edited: 'Edited',
  editedShow: 'Edited. Show earlier versions',
  you: 'You',
  delivered: 'Delivered',
  read: 'Read',

  // Replies
  quoteJump: 'Reply to {author}. Show the message',
  quoteOther: 'The sender saw another version of this message.',
  quoteMissing: 'This message isn’t on this computer.',
  replyingTo: 'Replying to <bdi>{name}</bdi>',
  replyingToText: 'Replying to {name}: {text}',
  editing: 'Edit message',
  cancelReply: 'Cancel reply',
  cancelEdit: 'Cancel edit',

  // Reactions
  reactions: 'Reactions',
  reactWith: 'React with {emoji}',
  reaction: '{emoji}, {count, plural, one {# reaction} other {# reactions}}: {names}',
  moreReactions: '+ {count, number}',
  moreReactionsLabel: '{count, plural, one {# other emoji} other {# other emoji}}',
  andMore: '{count, plural, one {# more} other {# more}}',

  // Versions
  versions: 'Earlier versions',
  original: 'Original',
  current: 'Now',
  noCaption: 'No caption',

  // Deleting
  deleteTitle: '{count, plural, one {Delete this message?} other {Delete # messages?}}',
  deleteText: 'Deleting for you removes it from this computer only. You can’t undo it.',
  deleteEveryoneText: 'Deleting for everyone leaves “Message deleted”. Others may have seen it.',
  deletedCount: '{count, plural, one {Message deleted} other {# messages deleted}}',
  deleteForMe: 'Delete for me',
  deleteForEveryone: 'Delete for everyone',

  // Forwarding
  forwardTitle: '{count, plural, one {Forward message} other {Forward # messages}}',
  forwardSearch: 'Search chats',
  forwardNone: 'No chats found',
  forwardMost: 'You can choose 20 chats.',
  forwardTo: '{count, plural, =0 {Choose chats} one {Forward to # chat} other {Forward to # chats}}',

  // Pins
  pinned: 'Pinned message',
  pinnedAt: 'Pinned message {place, number} of {count, number}',
  pinnedShow: 'Show pinned message: {text}',
  pinnedAll: 'All pinned messages',
  pinnedTitle: 'Pinned messages',
  pinnedJump: 'Show in chat',

  // Selecting
  selected: '{count, plural, one {# message selected} other {# messages selected}}',
  selectMost: 'You can select 50 messages.',
  selectThis: 'Select message',
  copy: 'Copy',
  cancel: 'Cancel',

  // The accessible name
  from: 'Message from {author}',
  own: 'Your message',
  nameReply: 'reply to {author}',
  nameReplyOnly: 'reply',
  nameReactions: '{count, plural, one {# reaction} other {# reactions}}: {emoji}',
  nameEdited: 'edited',
  nameForwarded: 'forwarded',
  namePinned: 'pinned',
  nameDisappears: 'disappears after {time}',
  nameSending: 'sending',
  nameSent: 'sent',
  nameDelivered: 'delivered',
  nameRead: 'read',
  nameNotSent: 'not sent',
} as const;
