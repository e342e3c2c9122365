/** Search in messages. */
export const search = {
  messages: 'Messages',
  people: 'People',
  results: 'Messages with “{text}”',
  found: '{count, plural, =0 {No messages found} one {# message found} other {# messages found}}',
  foundMore: 'More than {count, number} messages found',
  none: 'No messages with “{text}”',
  more: 'Show more messages',
  failed: 'Couldn’t search in messages',
  indexing: 'Older messages are still being indexed.',
  filters:
    'Narrow the search with from:ann, in:chat, has:link, has:file, has:picture, after:2026-01-31 or before:2026-12-31.',

  // In one chat
  inChat: 'Search in this chat',
  place: '{place, number} of {count, number}',
  placeMore: '{place, number} of more than {count, number}',
  nothing: 'No results',
  nothingNew: 'No results in newer messages',
  older: 'Older result',
  newer: 'Newer result',
  goToDate: 'Go to date',
  close: 'Close search',
} as const;
