/** Groups: the directory, a new group, its panel, members, invitations and bot tokens. */
export const groups = {
  // The directory
  groups: 'Groups',
  find: 'Find a group',
  new: 'New group',
  none: 'No groups on this server yet',
  list: 'Groups on this server',
  more: 'There are more groups. Type more of the name.',
  confirmed: 'Confirmed by the server’s administrator',
  needsPassword: 'Needs a password',
  listingJoin: 'Join',
  listingOpen: 'Open',

  // Joining
  join: 'Join group',
  joinText: 'Members see your name, address and messages. You see messages sent after joining.',
  joinPassword: 'Group password',

  // A new group, and changing one
  create: 'Create group',
  edit: 'Edit group',
  editAction: 'Save changes',
  name: 'Name',
  nameText: 'Anyone on this server can find this group.',
  nameConfirmed: 'Renaming removes the confirmed check.',
  description: 'Description (optional)',
  passwordOptional: 'Password (optional)',
  passwordNone: 'Anyone on this server can join without a password.',
  passwordLater: 'People need it to join. You can change it later.',

  // Panel
  copyId: 'Copy group id',
  confirmedText: 'The server’s administrator confirmed this group.',
  membersTitle: 'Members',
  ownerInvites: 'Only the owner and admins can invite people.',
  leave: 'Leave group',
  leaveTitle: 'Leave {name}?',
  leaveText: 'You won’t get new messages. Past messages stay on this computer.',
  leaveOwner:
    'Choose a new owner first. Without one, only admins manage this group, and its bot tokens stop working.',

  // Members
  you: 'You',
  owner: 'Owner',
  admin: 'Admin',
  memberMenu: 'Options for {name}',
  makeAdmin: 'Make admin',
  endAdmin: 'Remove admin rights',
  makeOwner: 'Make owner',
  makeOwnerTitle: 'Make {name} the owner?',
  makeOwnerText:
    'The owner chooses admins, the password and bot tokens. You become an admin. Bot tokens that you created stop working.',
  devices: '{count, plural, one {# device} other {# devices}}',
  removeTitle: 'Remove {name}?',
  removeAction: 'Remove member',
  removeText:
    'They won’t get new messages but keep earlier ones. They can come back only when you invite them again.',

  // Inviting
  add: 'Add people',
  addText: 'They can accept or decline.',
  addField: 'Name, handle or address',
  addChosen: 'Selected people',
  addPeople: 'People',
  addHint: 'Find people by handle, or paste an address.',
  addNoMatch: 'No one found, or already invited',
  addAction: '{count, plural, =0 {Invite people} one {Invite # person} other {Invite # people}}',
  addRemove: 'Don’t invite {name}',
  invited: 'Invited',
  invitedText: 'Not joined yet',
  inviteCancel: 'Cancel invitation',
  inviteCancelOf: 'Cancel invitation for {name}',

  // Password
  password: 'Password',
  passwordText: 'People need it to join. Members stay when you change it.',
  passwordNew: 'New password',
  passwordSet: 'Set password',
  passwordChange: 'Change password',
  passwordRemove: 'Remove password',
  passwordRemoveTitle: 'Remove the password of {name}?',
  passwordRemoveText: 'Anyone on this server can join without a password. You can set a new one later.',

  // Bot tokens
  tokens: 'Bot tokens',
  tokensText: 'Programs with a bot token can post here, labeled BOT.',
  tokenName: 'Bot name',
  tokenKind: 'Its posts',
  tokenSigned: 'Signed',
  tokenAlone: 'Not signed',
  tokenSignedText: 'The bot gets a key. Members see its name, and the server can’t post in its place.',
  tokenAloneText: 'For programs that can’t sign. The server could post in its place.',
  tokenSigns: 'Signs',
  tokenSignsNot: 'Doesn’t sign',
  tokenCreate: 'Create token',
  tokenRevokeAction: 'Revoke token',
  tokenRevokeTitle: 'Revoke the token “{name}”?',
  tokenTitle: 'New bot token: <bdi>{name}</bdi>',
  tokenText: 'Anyone who has it can post in this group as you, labeled BOT.',
  tokenKeyText:
    'Anyone who has both can post in this group as this bot. The key signs. Never give it to a server.',
  tokenSecret: 'Token',
  tokenKey: 'Key',
  tokenExampleSend: 'Post with the command line',
  unsignedBots: 'Show unsigned posts',
  unsignedBotsText: 'Members see posts that a bot token made without a key. The server could make them up.',
  lostBots: 'Bots without a token',
  lostBotText: 'The server shows no token for this bot',
  lostBotRemove: 'Remove bot',
  lostBotRemoveTitle: 'Remove the bot “{name}”?',
  lostBotRemoveText: 'Members stop showing what it signs. You can’t undo this.',
} as const;
