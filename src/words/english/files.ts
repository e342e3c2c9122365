/** Pictures and files: in the composer, in messages, in the viewer and in the details. */
export const files = {
  // Adding
  add: 'Add files',
  drop: 'Drop files to add them to your message to {chat}',
  noChat: 'Open a chat first, then add your files.',
  endEdit: 'Finish editing first, then add your files.',
  folder: 'Folders can’t be sent. Compress the folder and send that file.',
  empty: '“{name}” is empty.',
  unreadable: '“{name}” can’t be read.',
  most: 'You can send {count, number} files in one message.',

  // The tray
  tray: 'Files to send',
  remove: 'Remove {name}',
  describe: 'Add description',
  description: 'Description of {name}',
  descriptionHelp: 'Describe the picture',
  asFile: 'Send as file',
  asFileOf: 'Send {name} as file',
  unchanged: 'Sent unchanged, with any place and date in it.',
  preparing: 'Preparing files',
  stopPreparing: 'Cancel sending',
  undecodable: 'This picture is broken. Send it as a file, or remove it.',
  unreadableNow: 'This file can’t be read any more. Remove it and add it again.',

  // Sizes
  progress: '{done} of {total}',
} as const;
