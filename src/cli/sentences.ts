/**
 * Error sentences of the command line: for each reason its parameters and its sentence. Those of the library are in
 * src/base/sentences.ts, those of a relay in src/relay/problems/reasons.ts.
 */

import { folderReason } from '../base/sentences.ts';

const unreadable = ({ what, file, reason }: { what: string; file: string; reason: string }) =>
  `${what} cannot be read from ${file}: ${reason}`;

/** Folders that cannot be made. `reason` is the system’s error code. */
const folderSentences = {
  save_folder_unusable: ({ folder, reason }: { folder: string; reason: string }) =>
    `Files cannot be saved in ${folder}: ${folderReason(reason)} Choose a folder that your account can write to.`,
  identity_folder_unusable: ({ folder, reason }: { folder: string; reason: string }) =>
    `The identity cannot be stored in ${folder}: ${folderReason(reason)} Choose another place with --file.`,
};

/** `reason` is the system’s error code. */
const logUnusable = ({ file, reason }: { file: string; reason: string }) =>
  `The log cannot be written to ${file}: ${folderReason(reason)} Choose a file in an existing folder that your account can write to.`;

const SECRET_INSTEAD: Readonly<Record<string, string>> = {
  'api-key': 'Set WAXWING_API_KEY, or put it in a file and set WAXWING_API_KEY_FILE.',
  'group-token': 'Set WAXWING_GROUP_TOKEN, or put it in a file and set WAXWING_GROUP_TOKEN_FILE.',
  password: 'Set WAXWING_GROUP_PASSWORD, or use --password-file.',
  passphrase: 'Set WAXWING_PASSPHRASE, or put it in a file and set WAXWING_PASSPHRASE_FILE.',
  phrase: 'Use waxwing init --import FILE, with - for standard input.',
  'private-key': 'Use waxwing init --import FILE, with - for standard input.',
};
const SECRET_OTHERWISE =
  'Set WAXWING_API_KEY or WAXWING_GROUP_TOKEN, or put it in a file and set WAXWING_API_KEY_FILE or WAXWING_GROUP_TOKEN_FILE.';

const kindsOfSecret = { api_key: 'an API key', group_token: 'a group token', session: 'a session' } as const;
const formsOfSecret = {
  api_key: 'an API key: sk_live_ and 43 characters',
  group_token: 'a group token: gtk_live_ and 43 characters',
} as const;

/** Reasons of a failure, by the code in `--json`, which decides the exit code. */
export const COMMAND_SENTENCES = {
  /** An invalid call of the command. */
  usage: {
    metrics_port_taken: ({ port }: { port: number }) =>
      `The relay itself listens on port ${port}. Choose another one with --metrics-port, such as ${port === 9464 ? 9465 : 9464}.`,
    relay_missing: () => 'No relay given. Add --relay with its address, or set WAXWING_RELAY.',
    recipient_missing: () => 'No recipient given. Add @handle, an address, or --group with an id.',
    /** `problem` is the argument's own sentence. */
    recipient_malformed: ({ given, problem }: { given: string; problem: string }) =>
      `“${given}” is not a recipient. ${problem} To send to a group, add --group with its id, or set WAXWING_GROUP_TOKEN.`,
    group_has_no_request: () =>
      '--request marks a first contact with a person, so it cannot be used with a group.',
    reply_has_no_request: () => '--request marks a first contact, so it cannot be used with a reply.',
    reply_and_recipient: () => 'With --reply-to the recipient is known: give only the text, in quotes.',
    group_token_recipient: () =>
      'A group token sends only into its group. Leave the recipient out. To write to a person, use an API key.',
    group_and_recipient: () => 'With --group there is no other recipient: give only the text, in quotes.',
    message_missing: () => 'No message given. Add it in quotes after the recipient, or pipe it in.',
    file_missing: () => '--name, --media-type and --alt describe a file. Give it with --file.',
    file_name_missing: () => 'A file from standard input needs a name. Add --name.',
    file_described_of_several: () =>
      '--name, --media-type and --alt describe one file. Send several described files in separate commands.',
    input_twice: () => 'Standard input can be used only once: for a file or for the text.',
    ...folderSentences,
    follow_and_keep: () =>
      '--follow removes messages from the queue, and --keep leaves them in it: use only one of them.',
    /** `option` is the name of its option, or empty. */
    secret_in_arguments: ({ option }: { option: string }) =>
      `Do not pass secrets as arguments: other programs on this computer can read them, and the shell stores them in its history. ${SECRET_INSTEAD[option] ?? SECRET_OTHERWISE}`,
    joining_twice: () =>
      'A group that anyone may join has no password. Use --open, or a password, but not both.',
    ticket_malformed: ({ file }: { file: string }) =>
      `${file} has no ticket. Copy the JSON from the field ticket of an invitation, as printed by waxwing inbox --json.`,
    search_empty: () => 'No words given. Add words to search for, or a filter such as from:ann.',
    backup_secret_missing: () =>
      'No passphrase given. Add --passphrase-file with a file that has the passphrase of the backup or the recovery phrase, or pipe it in.',
    export_folder_taken: ({ folder }: { folder: string }) =>
      `${folder} is not empty. Choose a new folder: nothing is replaced.`,
    export_chat_unclear: ({ name, chats }: { name: string; chats: string }) =>
      `Several chats are named ${name}: ${chats}. Give more of the name, the whole address, or the id of the group.`,
    file_unreadable: unreadable,
    log_unusable: logUnusable,
    not_utf8: ({ what }: { what: string }) => `${what} is not text in UTF-8.`,
    wallet_malformed: ({ source }: { source: 'WAXWING_WALLET' | '--import' }) =>
      `The value of ${source} is neither a recovery phrase of 12 to 24 English words with the right checksum nor a private key of 64 hexadecimal digits.`,
  },

  /** An unusable credential. */
  credential: {
    none: ({ file }: { file: string }) =>
      `No credential found. Set WAXWING_API_KEY, or WAXWING_GROUP_TOKEN for a bot, or create an identity with waxwing init. (No identity in ${file}.)`,
    two_secrets: ({ one, other }: { one: string; other: string }) =>
      `Both ${one} and ${other} are set, and only one can be used. Unset the other.`,
    secret_and_identity: ({ variable }: { variable: string }) =>
      `Both WAXWING_IDENTITY and ${variable} are set. Unset one, or choose the identity with --identity.`,
    secret_malformed: ({ variable, type }: { variable: string; type: keyof typeof formsOfSecret }) =>
      `${variable} is not ${formsOfSecret[type]}. Check that it is complete.`,
    secret_of_other_type: ({ variable, right }: { variable: string; right: string }) =>
      `${variable} has a secret of another kind. Set ${right} to it, and unset ${variable}.`,
    secret_file_open: ({ what, file, mode }: { what: string; file: string; mode: number }) =>
      `${what} in ${file} can be read by other accounts of this computer (mode ${mode.toString(8)}). Make it yours alone: chmod 600 ${file}`,
    file_unreadable: unreadable,
    bot_key_malformed: ({ variable }: { variable: string }) =>
      `${variable} is not a bot key: wxb_ and 43 characters. Check that it is complete.`,
    bot_key_alone: ({ variable }: { variable: string }) =>
      `${variable} signs the posts of a group token. Set WAXWING_GROUP_TOKEN too, without an API key.`,
    group_token_of_other_group: ({ own, group }: { own: string; group: string }) =>
      `This group token is only for the group ${own}, not for ${group}.`,
    identity_needed: ({
      what,
      variable,
      type,
    }: {
      what: string;
      variable: string;
      type: keyof typeof kindsOfSecret;
    }) =>
      `${what} needs an identity with its keys, and ${variable} is only ${kindsOfSecret[type]}. Set its file with --identity or WAXWING_IDENTITY, or create one with waxwing init. You can also do this in the app.`,
    identity_missing: ({ file }: { file: string }) =>
      `There is no identity in ${file}. Create one with waxwing init, or set its file with --identity or WAXWING_IDENTITY.`,
    identity_open: ({ file, mode }: { file: string; mode: number }) =>
      `Other accounts of this computer can read the identity in ${file} (mode ${mode.toString(8)}). Make it yours alone: chmod 600 ${file}`,
    identity_not_renewable: ({ file }: { file: string }) => `There is no identity to renew in ${file}.`,
    identity_under_passphrase: ({ file }: { file: string }) =>
      `The identity in ${file} is protected by a passphrase. Set WAXWING_PASSPHRASE, or put it in a file and set WAXWING_PASSPHRASE_FILE.`,
    identity_in_key_store: ({ file }: { file: string }) =>
      `The key store of this computer does not open the identity in ${file}. Unlock the key store, or log in to the desktop where the identity was created.`,
    protection_missing: ({ keyStore }: { keyStore: 'locked' | 'none' }) =>
      `${keyStore === 'locked' ? 'The key store of this computer is locked. Unlock it, or set' : 'This computer has no key store that could protect the identity. Set'} WAXWING_PASSPHRASE, or put it in a file and set WAXWING_PASSPHRASE_FILE; or add --unprotected-key to store the keys in a file that only your account can read.`,
    two_passphrases: () =>
      'Both WAXWING_PASSPHRASE and WAXWING_PASSPHRASE_FILE are set, and only one can be used. Unset the other.',
    passphrase_empty: ({ file }: { file: string }) =>
      `The file ${file} is empty. It has to contain the passphrase.`,
  },

  /** Not found. */
  not_found: {
    device: ({ device }: { device: string }) => `Your address has no device ${device}.`,
    chat: ({ name }: { name: string }) => `The backup has no chat named ${name}.`,
  },

  unreachable: {
    /** `problem` is the library's sentence. */
    relay: ({ problem, relay }: { problem: string; relay: string }) =>
      `${problem} The relay is ${relay}. Choose another one with --relay or WAXWING_RELAY.`,
    /** `problem` is the relay's sentence. */
    unacknowledged: ({ problem }: { problem: string }) =>
      `The messages were received, but the relay could not remove them from the queue: ${problem} They are marked as received on this computer. The next waxwing inbox does not print them again, removes them, and reads the rest of the queue.`,
    relay_unfit: ({ problem, relay }: { problem: string; relay: string }) => `${problem} (${relay})`,
  },

  /** Other failures. */
  failed: {
    /** `reason` is the system’s error code. */
    file_unsaved: ({ folder, reason }: { folder: string; reason: string }) =>
      `A file cannot be saved in ${folder}: ${folderReason(reason)} Its message stays in the queue.`,
    /** `reason` is the system’s error code. */
    export_unsaved: ({ folder, reason }: { folder: string; reason: string }) =>
      `The export cannot be saved in ${folder}: ${folderReason(reason)} The files there are incomplete.`,
    export_no_room: ({ folder }: { folder: string }) =>
      `The disk of ${folder} is full. The export there is incomplete: remove it, make room, and export again.`,
    not_a_member: ({ person }: { person: string }) =>
      `${person} is not a member of this group. waxwing groups show lists the members.`,
    account_not_named: ({ name }: { name: string }) => `That is not ${name}. Nothing was deleted.`,
    own_device: () => 'This is the identity’s own device. Remove it with another device.',
    no_phrase: ({ file }: { file: string }) =>
      `The identity in ${file} has no recovery phrase of its own: its wallet was imported. Use the phrase or key of that wallet.`,
    protected_already: ({ file }: { file: string }) => `The identity in ${file} is already protected.`,
    identity_exists: ({ file }: { file: string }) =>
      `${file} already contains an identity. Use it, choose another file with --file, or move it. If its API key does not work, --renew creates a new one.`,
    log_unusable: logUnusable,
    ...folderSentences,
    /** `reason` is the system’s error code. */
    output_unwritten: ({ reason }: { reason: string }) =>
      `The output cannot be written: ${folderReason(reason)}`,
    /** `reason` is the system’s error code. */
    secret_unwritten: ({ reason }: { reason: string }) =>
      `The secret cannot be written: ${folderReason(reason)} It is lost: revoke this key or token, and create another.`,
    database_broke: ({ folder, reason }: { folder: string; reason: string }) =>
      `The relay stopped because its database failed: ${reason}. Check the disk of ${folder}, and restart the relay. No confirmed data is lost.`,
  },
} as const;

/** Reasons why a file of a message cannot be saved, beside those of the library. */
export const LOST_FILES = {
  deleted: () => 'The relay has deleted it.',
} as const;

/** Failures of the parser whose own sentence is unclear. */
export const MISUSE_SENTENCES = {
  command_missing: () => 'No command given. Add --help for a list of commands.',
} as const;

interface Listening {
  address: string;
  port: number;
  host: string;
  /** The system's message. */
  problem: string;
}

/** Reasons why a server cannot listen, by the system's code. */
export const LISTEN_SENTENCES = {
  EADDRINUSE: ({ port }: Listening) =>
    `Port ${port} is in use by another program. Choose another with --port; 0 for any free port.`,
  EACCES: ({ port }: Listening) =>
    `Your account is not allowed to use port ${port}. Choose another with --port, 1024 or above.`,
  EADDRNOTAVAIL: ({ address }: Listening) =>
    `${address} is not an address of this computer. Choose another with --host.`,
  ENOTFOUND: ({ host }: Listening) => `${host} is not a name of this computer. Set an address with --host.`,
  other: ({ port, problem }: Listening) => `The server cannot listen on port ${port}: ${problem}`,
} as const;

/** Faults of one argument. The parser names the argument before it. */
export const ARGUMENT_SENTENCES = {
  person: () =>
    'A person is @handle (3 to 32 of a-z, 0-9 and _, beginning with a letter), or an address: 0x and 40 hexadecimal digits.',
  address: ({ problem }: { problem: string }) => problem,
  relay: ({ problem }: { problem: string }) => problem,
  id: () => 'An id has letters, digits, _ and - only.',
  message_id: () => 'A message id is 22 characters of base64url, as printed by waxwing send.',
  message_ref: () =>
    'The ref of a message begins with wxm_. It is printed by waxwing inbox and waxwing send.',
  device: () => 'The id of a device has 22 characters.',
  port: () => 'A port is a number from 0 to 65535.',
  drain: () => 'It has to be a number of seconds from 0 to 300.',
  public_url: () => 'It has to look like https://relay.example, with nothing after the host.',
  proxy: () => 'A proxy is an address like 127.0.0.1, or a range like 10.0.0.0/8.',
  host: () => 'A host is a name or an address, perhaps with a port: relay.internal:8787.',
  path_empty: () => 'The path is empty.',
  file_unreadable: ({ reason }: { reason: string }) => `It cannot be read: ${reason}`,
  limits: ({ problem }: { problem: string }) => problem,
  blobs: ({ problem }: { problem: string }) => problem,
  count: ({ least, most }: { least: number; most: number }) =>
    `It has to be a number from ${least} to ${most}.`,
  account: ({ problem }: { problem: string }) => `${problem} A handle begins with @.`,
  target: () => 'It has to be @handle, or the id of a group, which has 22 characters.',
  handle: () => 'This is not a handle: a handle has 3 to 32 of a-z, 0-9 and _, and begins with a letter.',
  handle_is_address: () => 'A handle is not an address.',
  name: () => 'A name has 1 to 80 characters, and no control characters.',
  end: () => 'It has to be a day in the future, as in 2027-01-31, or a number of days, as in 90d.',
  mention: () => 'It has to be an @handle from the text, or words=address.',
  timer: () => 'It has to be 30s to 365d, as in 30s, 5m, 8h, 1d or 4w, or 0 for never.',
  expiry: () => 'It has to be a day in the future, as in 2027-01-31, a number of days, as in 90d, or never.',
} as const;

/** Names of credentials in a refusal. */
export const CREDENTIAL_NAMES = {
  none: () => 'this identity',
  secret: ({ variable }: { variable: string }) => `the secret in ${variable}`,
  identity: ({ file }: { file: string }) => `the API key in ${file}`,
} as const;

/** A note after the first of several attempts. `problem` is the library's sentence. */
export const WAITING_FOR_RELAY = ({ problem, relay }: { problem: string; relay: string }) =>
  `${problem} Trying the relay ${relay} again for some seconds.`;

/** Remedies after a relay's refusal. */
export const REMEDIES = {
  not_accepted: ({ relay, credential }: { relay: string; credential: string }) =>
    `The relay ${relay} does not accept ${credential}.`,
  renew_identity: ({ file }: { file: string }) =>
    `It was revoked, or belongs to another relay. waxwing init --renew --identity ${file} creates a new one.`,
  another_group_token: () =>
    'It was revoked, or belongs to another relay. The owner of the group can create another with waxwing groups token create.',
  another_api_key: () =>
    'It was revoked, has expired or belongs to another relay, or Developer API access was locked. Create another in the app’s API settings, or with waxwing api-keys create.',
  group_token_only_posts: () => 'A group token can only post into its own group. This needs an API key.',
  key_with_entitlement: () =>
    'The permissions of a key cannot be changed. Create another in the app’s API settings, or with waxwing api-keys create.',
  use_api_key: () => 'Use an API key for this.',
  join_group: () => 'To join: waxwing groups join, with the id of the group.',
  receive_ticket: () =>
    'An invitation is a message: receive it with waxwing inbox, then join again. A password is given with --password-file.',
  see_api_keys: () => 'waxwing api-keys list shows the ids.',
  see_tokens: () => 'waxwing groups token list shows the ids.',
  give_invitation: () => 'Give it with: waxwing init --invitation CODE',
  reopen_account: () => 'To open it again, empty: waxwing account reopen',
  wait: ({ seconds }: { seconds: number }) => `Try again in ${seconds} s.`,
} as const;

/** Notes beside a result. */
export const NOTES = {
  own_key_revoked: ({ file }: { file: string | null }) =>
    `This was the key of the identity itself. To make a new one: waxwing init --renew${file === null ? '' : ` --identity ${file}`}`,
} as const;
