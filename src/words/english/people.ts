/** People: a new chat, the panel of a contact, their devices, and verifying them. */
export const people = {
  // New chat
  newChat: 'New chat',
  to: 'To',
  toHint: 'For example @maya, an address that starts with 0x, or an invite link',
  toPlaceholder: 'Name or @handle',
  start: 'Start chat',
  confirmedOnly: 'Only confirmed handles',
  known: 'Contacts',
  onServer: 'People on this server',
  copyAddressOf: 'Copy address of {name}',
  nobodyListed: 'No one else is listed. Invite someone.',
  noMatch: 'No results. Try a whole handle or address.',
  showMore: 'Show more',
  nameWithHandle: '{name} ({handle})',
  handleBeside: '(<bdi>{handle}</bdi>)',
  confirmedHandle: '{handle}, confirmed',

  // Panel
  details: 'Details',
  closeDetails: 'Close details',
  nickname: 'Nickname',
  nicknameText: 'Only you see this.',
  nicknameSave: 'Save',
  handleConfirmed: 'The server’s administrator confirmed this handle.',
  address: 'Address',
  copyAddress: 'Copy address',
  addressText: 'If <bdi>{name}</bdi> gives you this same address, you’re talking to them.',

  // Devices
  devices: 'Devices',
  devicesNone: 'No devices yet',
  unsigned: '<bdi>{name}</bdi> also allows programs to send messages. They’re marked API.',
  signedOnly: 'Each message is signed by one of these devices.',
  validUntil: 'Valid until {date}',
  notPostQuantum: 'Not post-quantum',
  notPostQuantumText:
    'A future quantum computer could read messages to devices marked “Not post-quantum”, if someone keeps them until then.',
  list: 'Device list',
  listNumber: 'Version {number, number}',
  listNotSeen: 'Not seen yet',
  notSeenSince: 'Not seen since',
  firstSeen: 'First seen',
  deviceApp: 'Waxwing app',
  deviceApi: 'API device',

  // Two device lists
  fork: 'Compare device lists',
  forkTitle: 'Two device lists for <bdi>{name}</bdi>',
  forkText:
    '<bdi>{name}</bdi>’s account signed both lists, and they contradict each other. Nothing is sent to <bdi>{name}</bdi> until you choose one.',
  forkAsk:
    'Someone else may have <bdi>{name}</bdi>’s account. Ask <bdi>{name}</bdi> in person or by phone which list is right.',
  forkKnown: 'Used so far',
  forkOther: 'The other one',
  forkSide: 'Device list: {title}',
  forkSigned: 'Version {number, number}, signed {date}',
  forkShown: 'The server shows this one',
  forkNotShown: 'Not shown by the server',
  forkOnlyHere: 'Only in this list',
  forkUse: 'Use this list',
  forkUseTitle: 'Use list {number, number} for {name}?',
  forkUseText:
    'From now on your messages to {name} are encrypted for {count, plural, one {# device} other {# devices}} in this list. The other list doesn’t count anymore. Choose only what {name} told you.',

  // Verifying
  verify: 'Verify…',
  verifyTitle: 'Verify {name}',
  verifiedOn: 'Verified by you on {date}',
  verifiedElsewhere: 'Verified on another computer (<mono>{id}</mono>) on {date}',
  verifiedOnDevice: 'Verified on <bdi>{device}</bdi> (<mono>{id}</mono>) on {date}',
  verifyUndo: 'Undo',
  compare: 'Compare',
  compareText: 'Ask <bdi>{name}</bdi> to read their address aloud.',
  match: 'Addresses match',
  noMatchAddress: 'Addresses don’t match',
  scan: 'Or scan their code',
  scanText: 'They find it in this same window, at the bottom.',
  ownCode: 'Your own code',
  ownCodeLabel: 'QR code of your address',
  matchText: '<bdi>{name}</bdi> is verified. You don’t need to compare again.',
  noMatchText: 'This may not be <bdi>{name}</bdi>. Don’t send anything private.',
  compareAgain: 'Compare again',

  // Camera and pictures
  scanStart: 'Scan with the camera',
  scanStop: 'Turn off the camera',
  scanPicture: 'Choose a picture',
  scanPictureLabel: 'Picture of their code',
  cameraPicture: 'Picture from your camera',
  cameraRefused:
    'Waxwing can’t use the camera. Allow it in your system or browser settings, or choose a picture.',
  cameraMissing: 'No camera found. Choose a picture, or compare the addresses.',
  cameraBroken:
    'The camera couldn’t be used. Another program may be using it. Choose a picture, or compare the addresses.',
  pictureNoCode: 'No QR code found in this picture. Try one that is sharper or larger.',
  pictureOtherCode: 'This QR code isn’t a Waxwing address.',
  pictureBroken: 'This file isn’t a picture.',
} as const;
