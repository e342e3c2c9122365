/** The left pane: the list of chats, search, requests, and the connection. */
export const chats = {
  chats: 'Chats',
  loading: 'Loading chats',
  notLoaded: 'Couldn’t load your chats',
  search: 'Search',
  searchLabel: 'Search chats and messages',
  noResults: 'No chats with “{text}”',
  findPeople: 'Find people on the server',
  newChat: 'New chat',
  groups: 'Groups',
  settings: 'Settings',

  // A row
  draft: 'Draft:',
  invitation: 'Invitation to {group}',
  photos: '{count, plural, one {Photo} other {# photos}}',
  videos: '{count, plural, one {Video} other {# videos}}',
  voiceMessage: 'Voice message',
  audioFiles: '{count, plural, one {Audio} other {# audio files}}',
  files: '{count, plural, one {File} other {# files}}',
  noMessages: 'No messages yet',
  muted: 'Muted',
  unread: '{count, plural, one {# unread message} other {# unread messages}}',
  summary: '{author}: {text}',

  pinned: 'Pinned',
  markedUnread: 'Marked unread',
  mentioned: 'You’re mentioned',
  noteToSelf: 'Note to self',

  // Filters
  filters: 'Show',
  filterAll: 'All',
  filterUnread: 'Unread',
  filterGroups: 'Groups',
  noUnread: 'No unread chats',
  noGroups: 'No groups yet',
  showAll: 'Show all chats',

  // The menu of a row
  actions: 'Actions for {chat}',
  open: 'Open',
  markUnread: 'Mark unread',
  markRead: 'Mark read',
  pin: 'Pin',
  unpin: 'Unpin',
  archive: 'Archive',
  unarchive: 'Unarchive',
  archived: 'Archived',
  archivedCount: 'Archived ({count, number})',
  unreadChats: '{count, plural, one {# unread chat} other {# unread chats}}',

  // Empty states
  empty: 'No chats yet',
  emptyText: 'Start a chat or make a group.',
  allArchived: 'No other chats',
  allArchivedText: 'Open the archive above, or start a chat.',
  welcome: 'Welcome, {name}',
  welcomeText: '@echo is a test contact that repeats what you send.',
  sayHello: 'Say hello to @echo',
  startText: 'Start a chat or make a group. Press {keys} to find people, groups and settings.',
  noneSelected: 'No chat selected',
  noneSelectedText: 'Select a chat, or press {keys} to find anything.',

  // Message requests
  requests: 'Message requests',
  request: 'Message request',
  requestsCount: 'Message requests ({count, number})',
  requestsText: 'They won’t know you’ve read this unless you accept.',
  back: 'Back to chats',

  // Connection
  connection: 'Connection',
  online: 'Online',
  connecting: 'Connecting…',
  offline: 'Offline',
  offlineProblem: 'Can’t reach the server.',
  offlineWaiting: '{count, plural, one {# message waiting} other {# messages waiting}}',
  offlineLine: 'You’re offline. Messages send when you reconnect.',
  retrying: 'Retrying…',
  retryingIn: 'Retrying in {seconds, number} s',
  retryNow: 'Retry now',
} as const;
