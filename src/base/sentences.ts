/**
 * Failures of the library and the command line: for each code its parameters, and its sentence for a
 * terminal. The app has separate sentences for the same codes (src/words/english/failure.ts).
 */
import { FAULTS } from '../protocol/faults.ts';
import type { PassphraseFault } from './passphrase-rule.ts';

/** The system's reason for not reading or writing a file. */
export interface FileFault {
  path: string;
  /** The system's code, such as ENOENT, or else its message. */
  reason: string;
}

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder.',
  EEXIST: 'it already exists. Open it, or move it to another folder.',
  EACCES: 'this is not allowed. Look at the owner and mode of file and folder.',
  EPERM: 'this is not allowed. Look at the owner and mode of file and folder.',
  EISDIR: 'it is a folder. Choose a file.',
  ENOTDIR: 'a part of its path is a file.',
  EROFS: 'the disk is read-only.',
  EDQUOT: 'the disk is full.',
  ENOSPC: 'the disk is full.',
};

/** Reasons why a file that is sent cannot be read. */
const unsentReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  EISDIR: 'this is a folder. Send the files in it, or an archive of it.',
  EACCES: 'your account is not allowed to read it.',
  EPERM: 'your account is not allowed to read it.',
};

/** Refusals of a change of a group, by the rule (docs/protocol.md, section 11). */
const actRefusals: Readonly<Record<string, string>> = {
  not_allowed: 'Only the owner of the group can do this, or for some changes an admin.',
  remove_not_a_member: 'This person is not a member of the group.',
  remove_not_allowed: 'You are not allowed to remove this person from the group.',
  wrong_creator: 'The new owner has to be another member of the group.',
  admin_not_a_member: 'An admin has to be a member of the group, and not its owner.',
};

const folderReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder.',
  EACCES: 'your account is not allowed to write there.',
  EPERM: 'your account is not allowed to write there.',
  EEXIST: 'it is a file.',
  EISDIR: 'it is a folder.',
  ENOTDIR: 'a part of its path is a file.',
  EROFS: 'the disk is read-only.',
  EDQUOT: 'the disk is full.',
  ERR_ACCESS_DENIED: "Node's permissions do not allow it. Use a folder that the unit or the image allows.",
  ENOSPC: 'the disk is full.',
  EPIPE: 'the program that reads it has ended.',
  SQLITE_FULL: 'the disk is full.',
};

/** The end of a sentence about a folder that cannot be used, by the system's code. */
export function folderReason(code: string): string {
  return folderReasons[code] ?? `${code}.`;
}

const unprovenFaults = {
  ...FAULTS.deviceList,
  list_gap: 'the device list does not follow the one before',
} as const;
/** Reasons why keys are unproven. */
export type UnprovenFault = keyof typeof unprovenFaults;

const guessable: Readonly<Record<Exclude<PassphraseFault, 'short'>, string>> = {
  repeated: 'it repeats itself',
  sequence: 'it follows the alphabet, the digits or the keyboard',
  common: 'it is one of the most common passphrases',
  own_name: 'it is your own handle or name',
};

const whose = (who: string) => (who === '' ? 'this person’s' : `${who}’s`);

/** No usable answer from the relay. The request may or may not have been done. */
export const unreachable = {
  relay_silent: () => 'No relay answers at this address.',
  relay_name_unknown: () =>
    'The name in the relay’s address was not found. Check the spelling and your network.',
  relay_hung_up: () => 'The relay closed the connection.',
  relay_certificate: () =>
    'The relay’s certificate is not trusted. If your network has its own certificate authority, set NODE_EXTRA_CA_CERTS to its file.',
  relay_without_tls: () =>
    'The server at this address does not use TLS. If the relay is on this computer, its address begins with http://.',
  relay_unreachable: () => 'The relay cannot be reached.',
  /** `from` is the environment variable with the address. */
  proxy_malformed: ({ from }: { from: string }) =>
    `${from} is not the address of a proxy. An address looks like http://proxy.example:3128.`,
  proxy_unreachable: () => 'The proxy cannot be reached. Check its address and your network.',
  proxy_refused: ({ status }: { status: number }) =>
    status === 407
      ? 'The proxy needs a name and password. Set them in HTTPS_PROXY: http://name:password@proxy.example:3128.'
      : `The proxy refused the connection (status ${status}).`,
  proxy_unsupported: () =>
    'Your system uses a type of proxy that Waxwing does not support. Use an HTTP proxy.',
  relay_late: () => 'The relay did not answer in time.',
  not_a_relay: () => 'There is no Waxwing relay at this address.',
  relay_wrong_answer: () => 'The relay’s answer does not match the request. It was ignored.',
  relay_answer_compressed: () => 'The relay’s answer is compressed, which Waxwing does not accept.',
  relay_answer_long: () => 'The relay’s answer is too long. It was ignored.',
  clocks_differ: ({ days }: { days: number }) =>
    `The clocks of this computer and the relay are ${days === 1 ? 'a day' : `${days} days`} apart. Set the clock of this computer or, if it is right, report this to the operator of the relay. Messages wait until then.`,
  closing: () => 'Waxwing is closing.',
  devices_keep_changing: () => 'The recipient’s devices keep changing. Send again, with the same message id.',
  group_keeps_changing: () => 'The group keeps changing. Send again, with the same message id.',
  device_unregistered: () => 'This device is not registered yet.',
};

/** A file cannot be sealed, sent or fetched. */
export const files = {
  file_too_long: ({ most }: { most: number }) => `A file may have at most ${most} bytes.`,
  file_empty: () => 'An empty file cannot be sent.',
  file_unreadable: ({ path, reason }: FileFault) =>
    `The file ${path} cannot be read: ${unsentReasons[reason] ?? `${reason}.`}`,
  file_details_malformed: () =>
    'The media type of a file, such as image/png, can have 127 bytes, and its description 500.',
  too_many_files: () => 'A message can have 1 to 10 files.',
  caption_too_long: ({ most }: { most: number }) => `A caption has at most ${most} bytes.`,
  file_changed: () => 'The file changed while it was read. Send it again.',
  file_spool_changed: () => 'The encrypted copy of the file has changed. Encrypt the file again.',
  file_not_as_sent: () => 'This is not the file that was sent.',
  file_too_slow: () => 'The transfer of the file is too slow.',
};

/** The relay's view differs from what wallets and devices signed. Nothing was sent. */
export const unproven = {
  /** `who` is empty for an unknown name. */
  keys_withheld: ({ who }: { who: string }) =>
    `Waiting for ${whose(who)} current devices. The relay does not show them yet.`,
  own_keys_withheld: () => 'Waiting for your own current devices. The relay does not show them yet.',
  lists_differ: ({ who }: { who: string }) =>
    `There are two different device lists for ${who || 'this person'}, and both are signed. Nothing is sent to them until you choose one in their details.`,
  own_lists_differ: () =>
    'There are two different device lists for your account, and both are signed. Nothing is sent until that is fixed.',
  keys_unproven: ({ fault }: { fault: UnprovenFault }) =>
    `The relay’s keys for this person cannot be proven: ${unprovenFaults[fault]}. Nothing is sent to them.`,
  own_list_lost: () =>
    'The relay has lost device lists of yours that this computer does not have either. Open Waxwing on the computer that you have used longest.',
  own_list_forged: () =>
    'The relay shows a device list for your own address that you did not sign. Nothing is sent until that is fixed.',
  group_without_you: () =>
    'The relay no longer allows you to read this group, and its signed changes give no reason.',
  roster_newer: () =>
    'A newer version of Waxwing changed this group. Update Waxwing. Nothing is sent to the group until then.',
  roster_broken: ({ reason, epoch }: { reason: string; epoch: number }) =>
    `Change ${epoch} of this group, as the relay shows it, is invalid (${reason}). Nothing is sent to the group.`,
  roster_ahead: () =>
    'The newest change of this group is later than this computer’s clock. Check the clock. Nothing is sent to the group until then.',
  roster_list_missing: ({ who }: { who: string }) =>
    `The relay does not show the devices of ${who} that changed this group. Nothing is sent to the group until it does.`,
  roster_behind: () =>
    'The relay’s view of this group does not match its signed changes. Nothing is sent to the group until it does.',
  roster_replaced: () =>
    'The relay has lost changes of this group and shows others in their place. Nothing is sent to the group until its owner or an admin has accepted that, and then you.',
  roster_unconfirmed: () =>
    'The relay has lost changes of this group. Its owner or an admin must accept the relay’s version before you can, so that no removed person becomes a member again.',
  roster_split: () =>
    'The relay shows other members of this group different changes than you. Nothing is sent to the group until this is resolved.',
  roster_device_dropped: ({ who, epoch }: { who: string; epoch: number }) =>
    `A device that ${who} has removed since made change ${epoch} of this group. Nothing is sent to the group until an owner confirms it.`,
  groups_too_many: ({ most }: { most: number }) => `The relay shows more than ${most} groups of yours.`,
};

/** An identity cannot be used: its file, its device or its state at the relay is invalid. */
export const identity = {
  identity_unreadable: ({ path, reason }: FileFault) =>
    `The identity in ${path} cannot be read: ${fileReasons[reason] ?? `${reason}.`}`,
  identity_unwritable: ({ path, reason }: FileFault) =>
    `The identity in ${path} cannot be written: ${fileReasons[reason] ?? `${reason}.`}`,
  identity_not_json: ({ path }: { path: string }) => `The file ${path} is not an identity: it is not JSON.`,
  identity_malformed: ({ path, place, fault }: { path: string; place: string; fault: string }) =>
    `The file ${path} is not an identity that this version of Waxwing can read (${place || 'the whole'}: ${fault}).`,
  identity_wrong_passphrase: ({ path }: { path: string }) =>
    `The identity in ${path} does not open: the passphrase is wrong, or the file is damaged.`,
  identity_wrong_key: ({ path }: { path: string }) =>
    `The identity in ${path} does not open: the key is wrong, or the file is damaged.`,
  identity_passphrase_empty: () => 'The passphrase is empty. Enter one, or turn the protection off.',
  identity_passphrase_missing: ({ path }: { path: string }) =>
    `The identity in ${path} is protected by a passphrase. Enter it to open the file.`,
  identity_key_elsewhere: ({ path }: { path: string }) =>
    `The key of the identity in ${path} is kept elsewhere, such as in the key store of the system. Open it with the program that made it.`,
  identity_unregistered: () =>
    'This identity is not registered. Register it first: run waxwing init with its file, or call register.',
  identity_needed: ({ what }: { what: string }) =>
    `${what} needs an identity: new RelayClient({ identity }).`,
  identity_of_another: ({ owner, address }: { owner: string; address: string }) =>
    `The secret belongs to ${owner}, the identity to ${address}.`,
  identity_groups_full: ({ most }: { most: number }) =>
    `This identity stores the members of ${most} groups, which is the limit. Use another identity for this group.`,
  device_removed: () =>
    'This device was removed from your account on another device. To use it again, delete the data on this computer (in the app: Settings, Storage) and set up Waxwing with your recovery phrase.',
  /** The relay refuses a device without a wallet. */
  device_refused: () =>
    'The relay no longer accepts this device: it was removed from its address, or its certificate has expired. Another device with the wallet can certify it again.',
  wallet_not_kept: () =>
    'The device list needs the wallet’s signature, and this identity does not have its wallet. Create it again with the recovery phrase.',
  devices_full: ({ most }: { most: number }) =>
    `You already use Waxwing on ${most} devices. Remove one of them first.`,
};

/** A host that this computer alone reaches, perhaps with a port. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host);
}

/** Refusals by the client under a code of the relay's: their `detail`. */
export const IN_THE_RELAYS_STEAD = {
  query_malformed: ({ place, fault }: { place: string; fault: string }) =>
    `The request is not well formed. ${place === '' ? '' : `${place}: `}${fault}.`,
  other_domain: ({ requested, called }: { requested: string; called: string }) =>
    `The relay requests a login to ${requested}, but its address here is ${called}. ${isLoopback(requested) && isLoopback(called) ? `Use http://${requested}.` : 'Use the address from its operator.'}`,
  failed: () => 'The relay failed. Try again later.',
};

/** No recipient can get the message, or not now. */
const undeliverable = {
  no_device: () => 'This address has no device that can read a message now.',
  no_other_device: () => 'This is your own address, and it has no other device that can read a message now.',
  group_left: () => 'You are not a member of this group, so nothing can be sent to it.',
  group_not_found: () => 'There is no group with this id.',
  bots_full: ({ most }: { most: number }) =>
    `This group has ${most} bots with keys, which is the limit. Revoke one of them first.`,
  bot_name_taken: ({ name }: { name: string }) =>
    `This group already has a bot or a token with the name ${name}. Choose another name.`,
  bot_not_in_group: () =>
    'The group does not list this bot key. Its owner may have revoked it, and members’ apps would not show its posts.',
  bot_key_missing: () =>
    'Nothing was sent: this group does not show posts by a token alone. Set the key of the bot too (WAXWING_BOT_KEY). If the bot has no key, the owner of the group can allow unsigned posts with waxwing groups token unsigned.',
  roster_act_refused: ({ reason }: { reason: string }) =>
    actRefusals[reason] ?? `This change is not possible in the current state of the group (${reason}).`,
};

/** Invalid input. */
export const input = {
  name_empty: () => 'A name needs at least one character.',
  name_malformed: () => 'A name has one line, without control characters.',
  description_malformed: () => 'A description has no control characters.',
  name_long: ({ most }: { most: number }) => `This name is too long. It can have ${most} characters.`,
  about_long: ({ most }: { most: number }) =>
    `The text about yourself is too long. It can have ${most} bytes.`,
  description_long: ({ most }: { most: number }) =>
    `This description is too long. It can have ${most} characters.`,
  group_password_unusable: () => 'This cannot be a group’s password. Use letters, digits and punctuation.',
  relay_address_malformed: () =>
    'This is not the address of a relay. An address looks like https://relay.example.',
  relay_address_insecure: () => 'A relay on another computer needs https.',
  address_malformed: () => 'An address is 0x and 40 hexadecimal digits.',
  address_mistyped: () =>
    'The capital letters of this address do not match its checksum. A character may be mistyped.',
  secret_missing: () =>
    'The secret is empty. Give an API key or a group token, and check that its environment variable is set.',
  secret_malformed: () => 'The secret is not an API key (sk_live_…) or a group token (gtk_live_…).',
  bot_key_malformed: () => 'This is not a bot key: wxb_ and 43 characters.',
  bot_key_without_token: () => 'A bot key signs the posts of a group token (gtk_live_…). Set both.',
  message_empty: () => 'The message is empty.',
  message_too_long: ({ bytes, most }: { bytes: number; most: number }) =>
    `This message is too long: it has ${bytes} bytes, and the limit is ${most}. Send it in parts.`,
  message_differs: () =>
    'A message with this id has other files. Send the same files again, or use a new id.',
  message_not_yours: () => 'Only the sender of this message can change it.',
  edit_too_late: () => 'A message can be edited for 24 hours.',
  message_ref_malformed: () =>
    'This is not a reference to a message. A reference begins with wxm_; it is returned with each received or sent message.',
  message_elsewhere: () => 'This message is in another chat. A reply must be in the chat of its message.',
  reaction_malformed: () => 'A reaction can have five emoji, each of them one character.',
  mention_absent: ({ words }: { words: string }) =>
    `‘${words}’ is not in the text, so it cannot mention anyone.`,
  timer_malformed: () => 'Messages disappear after 30 to 31,536,000 seconds, or 0 for never.',
  relay_version: ({ version }: { version: string }) =>
    `This relay has version ${version} of the API; this app supports version 1. Update the app.`,
};

/** Waxwing cannot start, or has stopped. */
export const start = {
  folder_unusable: ({ path, reason }: FileFault) =>
    `The folder ${path} cannot be used: ${folderReason(reason)}`,
  folder_busy: ({ path }: { path: string }) =>
    `Waxwing is already running with the data in ${path}. Close it first, or choose another folder with --data.`,
  folder_shared: ({ path }: { path: string }) =>
    `The folder ${path} is shared with other accounts of this computer. Give Waxwing a folder of its own with --data.`,
  folder_open: ({ path }: { path: string }) =>
    `Other accounts of this computer can read ${path}, and Waxwing is not allowed to change that. Restrict it to your account with chmod and chown, or choose another folder with --data.`,
  settings_unreadable: ({ path, reason }: FileFault) =>
    `The settings in ${path} cannot be read. Correct the file, or delete it to start with the default settings. (${reason})`,
  keys_missing: ({ path, file }: { path: string; file: string }) =>
    `The folder ${path} contains messages, but not their key ${file}. Restore that file from a copy, or open the folder with the app that created it. Nothing was changed.`,
  key_vanished: ({ path }: { path: string }) =>
    `The key in ${path} was removed during the start. Start Waxwing again.`,
  key_unreadable: ({ path, reason }: FileFault) => `The key file ${path} cannot be read: ${reason}`,
  key_unwritable: ({ path, reason }: FileFault) => `The key file ${path} cannot be written: ${reason}`,
  key_damaged: ({ path }: { path: string }) =>
    `The key file ${path} is damaged, or a newer version of Waxwing wrote it. Restore it from a copy; without it the messages cannot be read. Nothing was changed.`,
  interface_missing: () => 'The interface is not built yet. Build it with: npm run build',
  page_script_missing: () => 'The build of the interface has no page script. Build it again: npm run build',
  /** `problem` is a sentence of the relay for its operator. */
  relay_here_unusable: ({ problem }: { problem: string }) =>
    `The relay on this computer cannot start. ${problem}`,
  relay_here_stopped: () => 'The relay on this computer stopped. Start Waxwing again.',
  engine_stopped: () => 'The engine stopped. Start Waxwing again. No saved data is lost.',
  data_newer: () => 'A newer version of Waxwing has used this data. Update Waxwing to open it.',
  data_busy: () => 'Waxwing is already running with this data. Use that window, or close it first.',
  data_no_room: ({ needed, free }: { needed: number; free: number }) =>
    `This version of Waxwing stores your data in another format. It needs up to ${needed} MB of free disk space for the change, and ${free} MB is free. Free some space and start again. Your messages are safe.`,
  data_key_wrong: () =>
    'The messages on this computer cannot be unlocked: the key is wrong. Nothing was changed.',
  data_of_other_relay: ({ relay }: { relay: string }) =>
    `This data belongs to ${relay}. Start without --relay to use it, or choose another folder with --data.`,
  data_of_embedded_relay: () =>
    'This data belongs to the relay on this computer. Start Waxwing without --relay to use it.',
  passphrase_wrong: () => 'The passphrase is wrong.',
  passphrase_short: ({ least }: { least: number }) =>
    `A passphrase needs at least ${least} characters. Four unrelated words are better.`,
  passphrase_guessable: ({ reason }: { reason: Exclude<PassphraseFault, 'short'> }) =>
    `This passphrase is too easy to guess: ${guessable[reason]}. Four unrelated words are better.`,
  passphrase_not_set: () => 'No passphrase is set here. Start Waxwing again.',
  attempts_too_many: ({ failed, seconds }: { failed: number; seconds: number }) =>
    `There were ${failed} wrong passphrases. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  /** An unexpected error. The log explains it under this id. */
  unexpected: ({ id }: { id: string }) => `Something went wrong (${id}). The log has details.`,
};

/** A backup cannot be read. */
const backups = {
  backup_unknown: () => 'This file is not a backup of Waxwing.',
  backup_newer: () => 'A newer version of Waxwing made this backup. Update Waxwing to read it.',
  backup_damaged: () => 'The backup is damaged. Use another copy of it.',
  /** Found after a part of it was merged. */
  backup_damaged_in_part: () =>
    'The backup is damaged. A part of it was restored. Use another copy of it for the rest.',
  /** Its disk does not answer, or the file is gone. */
  backup_unreadable: () =>
    'The backup cannot be read. Check its path, its disk, and whether your account may read it.',
  backup_secret_wrong: () =>
    'This does not open the backup. Check the passphrase of the backup, or the recovery phrase.',
  /** A folder without one. */
  backup_folder_empty: () =>
    'This folder has no backup. Choose the folder named "Waxwing backup", or the one around it, and check that its disk is connected.',
  /** It has backups of another computer or account, or too many files. */
  backup_folder_changed: () => 'The folder has files that are not of these backups.',
};

/** Every sentence for a terminal, by code. */
export const sentences = {
  ...unreachable,
  ...files,
  ...unproven,
  ...undeliverable,
  ...identity,
  ...input,
  ...start,
  ...backups,
};
