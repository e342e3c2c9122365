/** Texts for linking a computer. */
export const link = {
  link: 'Link a computer',
  findLink: 'add device, new computer, another computer, code',
  linkStepServer:
    'Start Waxwing on the new computer and choose the server <strong><bdi>{server}</bdi></strong>.',
  linkStepChoice: 'Choose “{choice}”.',
  linkStepCode: 'Enter here the code that it shows.',
  linkLocal:
    'Your server runs on this computer. Another computer reaches it only if you forward the connection.',
  linkCode: 'Code on the new computer',
  linkHint: '28 letters and digits. Spaces and lowercase letters are fine.',
  linkComplete: 'Code complete',
  linkClaim: 'A computer named <strong><bdi>{name}</bdi></strong> (<mono>{id}</mono>) is waiting to join.',
  linkWarning: 'That computer will read and write as you. Link only one in front of you.',
  linkHistory: 'Send messages and files to it',
  linkHistoryText: 'Newest first, encrypted, through your server. Keep Waxwing open on both computers.',
  linkLacks: 'Your recovery phrase isn’t copied to it.',
  linkAction: 'Link computer',
  linkJoin:
    'On the new computer, check that it asks to join as {handle} with this address. Then choose “Join” there.',
  linkJoinAddress: 'On the new computer, check that it asks to join this address. Then choose “Join” there.',
  linkNotJoined: 'If it doesn’t ask, remove it from your devices again.',
  linkDone:
    '<strong><bdi>{name}</bdi> (<mono>{id}</mono>) is linked.</strong> Remove any device you don’t recognize.',
  linkSends: 'Messages and files are on their way to it. Keep Waxwing open on both computers.',
  historySending: 'Sending messages to this computer… {percent, number, percent}',
  historyStarting: 'Sending messages to this computer…',
  historyWaiting: 'Messages are sent when Waxwing is open on that computer.',
  historyMissed: 'Messages were not sent: for 30 days, Waxwing was not open on both computers.',
  historyBack: 'Messages were not sent for 30 days. Waxwing is now open on that computer again.',
  historySendAgain: 'Send again',
  historyHide: 'Don’t send',
  historyStop: 'Stop sending',
  historyStopTitle: 'Stop sending messages?',
  historyStopText:
    'Messages that arrived on that computer stay there. To send the others later, you have to link it again.',
} as const;
