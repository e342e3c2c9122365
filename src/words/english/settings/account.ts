/** Texts of the Account page. */
export const account = {
  account: 'Account',
  profile: 'Profile',
  findProfile: 'your name, display name, picture, photo, avatar, about, handle, address, QR code',
  name: 'Name',
  nameSave: 'Save name',
  aboutYou: 'About you',
  aboutHelp: 'Only your contacts and members of your groups see this text and your picture.',
  aboutSave: 'Save text',
  saved: 'Saved',
  handleHelp: 'People find you by handle.',
  handleReserved:
    '{handle} stays reserved for you for a year. The server reserves up to two old handles for you.',
  handleSave: 'Save handle',
  address: 'Your address',
  addressHelp: 'People scan it or compare it to verify you.',
  findInvites: 'invite people, invitation, share, QR code',
  accountDeleteAt: 'Delete account on {server}',
  accountDelete: 'Delete account',
  findAccountEnd: 'close, end, leave, cancel deletion',
  accountDeleteText:
    'You leave your groups now. Your handle, name, device keys and API keys are deleted from the server. No one else can take your handle for a year.',
  accountStaysText: 'Sent messages stay with others. The data on your computers stays there.',
  accountDeleteWhen: 'When',
  accountDeleteLater: 'In 7 days',
  accountDeleteNow: 'Now, with your recovery phrase',
  accountDeleteLaterText: 'You can cancel until then, on any of your computers.',
  accountDeleteNowText: 'This confirms that it’s you. You can’t cancel it.',
  accountEndsText:
    'Your account on {server} will be deleted on {time}. You have left your groups. If this wasn’t you, cancel it.',
  accountKeep: 'Cancel deletion',
  accountGoneText:
    'Your account on {server} was deleted. Your messages, contacts and the key of your account are still on this computer.',
  accountReopenText:
    'You can open the account again with that key. It starts without groups and API keys. Or delete the data on this computer.',
  accountReopen: 'Open account again',
} as const;
