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
  EEXIST: 'there is one already. Open it instead, or move it away.',
  EACCES: 'this is not allowed. Look at the owner and mode of file and folder.',
  EPERM: 'this is not allowed. Look at the owner and mode of file and folder.',
};

/** Reasons for not reading a file that is sent. */
const unsentReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  EISDIR: 'this is a folder. Send the files in it, or an archive of it.',
  EACCES: 'your account may not read it.',
  EPERM: 'your account may not read it.',
};

const folderReasons: Readonly<Record<string, string>> = {
  EACCES: 'your account may not write there.',
  EPERM: 'your account may not write there.',
  EEXIST: 'there is a file of that name.',
  ENOTDIR: 'a part of its path is a file.',
  EROFS: 'that disk can only be read.',
  ENOSPC: 'that disk is full.',
};

const unprovenFaults = {
  ...FAULTS.deviceList,
  list_gap: 'the device list does not follow the one before',
} as const;
/** Reasons why keys are unproven. */
export type UnprovenFault = keyof typeof unprovenFaults;

const guessable: Readonly<Record<Exclude<PassphraseFault, 'short'>, string>> = {
  repeated: 'it repeats itself',
  sequence: 'it follows the alphabet, the digits or the keyboard',
  common: 'it is among the first that anyone tries',
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
    'The relay’s certificate is not trusted. If your network has a certificate authority of its own, name its file in NODE_EXTRA_CA_CERTS.',
  relay_unreachable: () => 'The relay cannot be reached.',
  /** `from` is the environment variable with the address. */
  proxy_malformed: ({ from }: { from: string }) =>
    `${from} holds no address of a proxy. It looks like http://proxy.example:3128.`,
  proxy_unreachable: () => 'The proxy cannot be reached. Check its address and your network.',
  proxy_refused: ({ status }: { status: number }) =>
    status === 407
      ? 'The proxy asks for a name and password. HTTPS_PROXY takes them: http://name:password@proxy.example:3128.'
      : `The proxy does not let the call through (status ${status}).`,
  proxy_unsupported: () => 'Your system asks for a kind of proxy that Waxwing cannot use. HTTP proxies work.',
  relay_late: () => 'The relay did not answer in time.',
  not_a_relay: () => 'There is no Waxwing relay at this address.',
  relay_wrong_answer: () => 'The relay’s answer does not match the request. Nothing of it was used.',
  relay_answer_compressed: () => 'The relay’s answer is compressed, which Waxwing does not accept.',
  relay_answer_long: () => 'The relay’s answer is too long. Nothing of it was used.',
  clocks_differ: ({ days }: { days: number }) =>
    `The clocks of this computer and the relay are ${days === 1 ? 'a day' : `${days} days`} apart. Set the clock of this computer. Messages wait until then.`,
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
    'The type of a file has at most 127 bytes, as in image/png, and its description at most 500.',
  too_many_files: () => 'A message with files has 1 to 10 of them.',
  caption_too_long: ({ most }: { most: number }) => `A caption has at most ${most} bytes.`,
  file_changed: () => 'The file was changed while it was read. Send it again.',
  file_spool_changed: () => 'The sealed file is not the one that was made. Seal the file again.',
  file_not_as_sent: () => 'This is not the file that was sent.',
  file_too_slow: () => 'The relay sends or takes the file too slowly.',
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
    'The relay does not let you read this group any more, and its signed changes do not say why.',
  roster_newer: () =>
    'A newer version of Waxwing changed this group. Update Waxwing. Nothing is sent to the group until then.',
  roster_broken: ({ reason, epoch }: { reason: string; epoch: number }) =>
    `Change ${epoch} of this group, as the relay shows it, does not hold (${reason}). Nothing is sent to the group.`,
  roster_ahead: () =>
    'The newest change of this group lies ahead of this computer’s clock. Check the clock. Nothing is sent to the group until then.',
  roster_list_missing: ({ who }: { who: string }) =>
    `The relay does not show the devices of ${who} that changed this group. Nothing is sent to the group until it does.`,
  roster_behind: () =>
    'What the relay shows of this group does not match its signed changes. Nothing is sent to the group until it does.',
  roster_replaced: () =>
    'The relay has lost changes of this group and shows others in their place. Nothing is sent to the group until its owner or an admin has accepted that, and then you.',
  roster_unconfirmed: () =>
    'The relay has lost changes of this group. Its owner or an admin has to accept what it shows before you can, so that nobody who was removed is a member again.',
  roster_split: () =>
    'The relay shows other members of this group something else than it shows you. Nothing is sent to the group until that is settled.',
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
  identity_passphrase_empty: () =>
    'The passphrase is empty. Give one, or leave the protection out on purpose.',
  identity_passphrase_missing: ({ path }: { path: string }) =>
    `The identity in ${path} is under a passphrase. Give it to open the file.`,
  identity_key_elsewhere: ({ path }: { path: string }) =>
    `The key of the identity in ${path} is kept elsewhere, such as in the key store of the system. Open it with the program that made it.`,
  identity_unregistered: () => 'This identity is not registered. Register it first.',
  identity_needed: ({ what }: { what: string }) =>
    `${what} needs an identity: new RelayClient({ identity }).`,
  identity_of_another: ({ owner, address }: { owner: string; address: string }) =>
    `The secret belongs to ${owner}, the identity to ${address}.`,
  identity_groups_full: ({ most }: { most: number }) =>
    `The members of ${most} groups are remembered, and there is no room for another. Use another identity for it.`,
  device_removed: () =>
    'This device was removed from your account on another device. To use it again, delete what is on this computer (in the app: Settings, Storage) and set Waxwing up with your recovery phrase.',
  /** The relay refuses a device without a wallet. */
  device_refused: () =>
    'The relay does not let this device in any more: it was removed from its address, or its certificate has ended. Another device that keeps the wallet can certify it again.',
  wallet_not_kept: () =>
    'The device list needs the wallet’s signature, and this identity does not keep its wallet. Create it again with the recovery phrase.',
  devices_full: ({ most }: { most: number }) =>
    `You already use Waxwing on ${most} devices. Remove one of them first.`,
};

/** Refusals by the client under a code of the relay's: their `detail`. */
export const IN_THE_RELAYS_STEAD = {
  query_malformed: ({ place, fault }: { place: string; fault: string }) =>
    `The request is not well formed. ${place === '' ? '' : `${place}: `}${fault}.`,
  other_domain: ({ asked, called }: { asked: string; called: string }) =>
    `The relay asked to sign in to ${asked}, but it was called at ${called}. Use the address that its operator gave you.`,
  failed: () => 'The relay has a problem of its own just now.',
};

/** No recipient can get the message, or not now. */
const undeliverable = {
  no_device: () => 'This address has no device that can read a message now.',
  group_left: () => 'You are not a member of this group, so nothing can be sent to it.',
  group_not_found: () => 'There is no group with this id.',
  bots_full: ({ most }: { most: number }) =>
    `This group has ${most} bots with keys of their own. Revoke one of them first.`,
  bot_name_taken: ({ name }: { name: string }) =>
    `This group has a bot or a token with the name ${name}. Choose another name.`,
  bot_not_in_group: () =>
    'This bot key does not stand in the group. Its owner may have revoked it: nobody would show what it signs.',
  bot_key_missing: () =>
    'Nothing was sent: this group does not show what is posted with a token alone. Give the key of the bot as well (WAXWING_BOT_KEY). Where it has none, the owner of the group can allow it with waxwing groups token unsigned.',
  roster_act_refused: ({ reason }: { reason: string }) =>
    `This change does not fit the group as it is now (${reason}).`,
};

/** Invalid input. */
export const input = {
  name_empty: () => 'A name has at least one character.',
  name_long: ({ most }: { most: number }) => `This name is too long. It can have ${most} characters.`,
  description_long: ({ most }: { most: number }) =>
    `This description is too long. It can have ${most} characters.`,
  group_password_unusable: () => 'This cannot be a group’s password. Use letters, digits and signs.',
  relay_address_malformed: () =>
    'A relay’s address looks like https://relay.example. Check this one for mistakes.',
  relay_address_insecure: () => 'A relay on another computer needs https.',
  address_malformed: () => 'An address is 0x and 40 hexadecimal digits.',
  address_mistyped: () => 'The capital letters of this address do not fit it: a character may be mistyped.',
  secret_malformed: () => 'The secret is not an API key (sk_live_…) or a group token (gtk_live_…).',
  bot_key_malformed: () => 'The bot key is none: it is wxb_ and 43 characters.',
  bot_key_without_token: () => 'A bot key signs what a group token (gtk_live_…) posts. Give both.',
  message_empty: () => 'The message is empty.',
  message_too_long: ({ bytes, most }: { bytes: number; most: number }) =>
    `This message is too long: it has ${bytes} bytes, and the limit is ${most}. Send it in parts.`,
  message_differs: () =>
    'A message with this id was started with other files. Send the same files again, or use a new id.',
  message_not_yours: () => 'Only who sent this message can change it.',
  edit_too_late: () => 'A message can be edited for 24 hours.',
  message_ref_malformed: () =>
    'This names no message. What does is a text that begins with wxm_, as it came with the message or was given when it was sent.',
  message_elsewhere: () => 'This message is of another conversation. An answer stands in the same one.',
  reaction_malformed: () => 'A reaction has at most five emoji, each of them one character.',
  mention_absent: ({ words }: { words: string }) =>
    `‘${words}’ is not in the text, so nobody is mentioned by it.`,
  timer_malformed: () => 'Messages disappear after 30 to 31,536,000 seconds, or 0 for never.',
  relay_version: ({ version }: { version: string }) =>
    `This relay speaks version ${version}; this app speaks version 1. Update the app.`,
};

/** Waxwing cannot start, or has stopped. */
export const start = {
  folder_unusable: ({ path, reason }: FileFault) =>
    `The folder ${path} cannot be used: ${folderReasons[reason] ?? reason}`,
  folder_busy: ({ path }: { path: string }) =>
    `Waxwing is already running with the data in ${path}. Close it first, or give another folder with --data.`,
  folder_shared: ({ path }: { path: string }) =>
    `The folder ${path} is shared with other accounts of this computer. Give Waxwing a folder of its own with --data.`,
  folder_open: ({ path }: { path: string }) =>
    `Other accounts of this computer can read ${path}, and Waxwing may not change that. Make it yours alone with chmod and chown, or give another folder with --data.`,
  settings_unreadable: ({ path, reason }: FileFault) =>
    `The settings in ${path} cannot be read. Correct the file, or delete it to start with the usual settings. (${reason})`,
  keys_missing: ({ path, file }: { path: string; file: string }) =>
    `The folder ${path} holds messages, but not ${file}, with the key that opens them. Put it back from a copy, or open the folder with the app that made it. Nothing was changed.`,
  key_vanished: ({ path }: { path: string }) => `The key in ${path} was removed just now. Start again.`,
  key_unreadable: ({ path, reason }: FileFault) => `The key file ${path} cannot be read: ${reason}`,
  key_unwritable: ({ path, reason }: FileFault) => `The key file ${path} cannot be written: ${reason}`,
  key_damaged: ({ path }: { path: string }) =>
    `The key file ${path} is damaged, or a newer version of Waxwing wrote it. Put back a copy of it; without it the messages cannot be read. Nothing was changed.`,
  interface_missing: () => 'The interface is not built yet. Build it with: npm run build',
  page_script_missing: () => 'The built interface lacks its page script. Build it again: npm run build',
  relay_here_stopped: () => 'The relay on this computer stopped. Start Waxwing again.',
  engine_stopped: () => 'The engine stopped. Start Waxwing again; nothing that was saved is lost.',
  data_newer: () => 'A newer version of Waxwing has used this data. Update Waxwing to open it.',
  data_busy: () => 'Waxwing is already running with this data. Use that window, or close it first.',
  data_key_wrong: () =>
    'The messages on this computer cannot be unlocked: the key does not fit. Nothing was changed.',
  data_of_other_relay: ({ relay }: { relay: string }) =>
    `This data belongs to ${relay}. Leave out --relay to use it, or give another folder with --data.`,
  data_of_embedded_relay: () =>
    'This data belongs to the relay on this computer. Start Waxwing without --relay to use it.',
  passphrase_wrong: () => 'This is not the passphrase.',
  passphrase_short: ({ least }: { least: number }) =>
    `A passphrase has at least ${least} characters. Four words that have nothing to do with each other are better.`,
  passphrase_guessable: ({ reason }: { reason: Exclude<PassphraseFault, 'short'> }) =>
    `This passphrase is refused: ${guessable[reason]}. Four words that have nothing to do with each other are better.`,
  passphrase_not_set: () => 'No passphrase was set here. Start Waxwing again.',
  attempts_too_many: ({ failed, seconds }: { failed: number; seconds: number }) =>
    `There were ${failed} wrong passphrases. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  /** An unexpected error. The log explains it under this id. */
  unexpected: ({ id }: { id: string }) => `Something went wrong (${id}). The log says more.`,
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
};
