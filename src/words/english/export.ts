/** Export of a chat, and import. */
export const exporting = {
  button: 'Export chat…',
  title: 'Export chat',
  text: 'Saves the messages as web pages, and as JSON for programs, in one ZIP file. Disappearing messages are left out.',
  warning: 'The file isn’t encrypted. Anyone who has it can read the chat.',
  files: 'Include pictures and files on this computer',
  start: 'Export',
  progress: '{count, plural, one {# message} other {# messages}}',
  running: 'Exporting chat',
  cancel: 'Cancel',
  done: 'Chat exported',
  failed: 'Couldn’t export the chat',

  // In the exported pages
  note: 'Exported from Waxwing on {date}. Disappearing messages are not included.',
  earlier: 'Earlier messages',
  later: 'Later messages',
  notHere: '{name} (not on this computer)',

  // Import
  importTitle: 'Import a chat',
  findImport: 'restore, zip, jsonl, archive, old messages, move, another computer',
  importText:
    'Adds the messages of an exported chat of this account: choose its ZIP file. Pictures and files stay in it. Imported messages are marked, because anyone could have changed the file. A chat with someone new is a message request first.',
  importChoose: 'Choose file…',
  importing: '{lines, plural, one {# line} other {# lines}} read',
  imported:
    '{count, plural, =0 {No new messages in this file} one {# message imported} other {# messages imported}}',
  importedPartly:
    '{count, plural, =0 {No messages imported} one {# message imported} other {# messages imported}}. {left, plural, one {# was} other {# were}} left out: the group isn’t on this computer, or there are too many message requests.',
  importUnreadable: 'This file can’t be read. Connect its disk again, then choose the file again.',
  importChanged: 'This file changed after you chose it, or it can’t be opened. Choose it again.',
  importFailed: 'Couldn’t import the file',
} as const;
