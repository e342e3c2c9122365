/**
 * Failures that only the app can meet: for each code its parameters. Their sentences: src/words/english/failure.ts.
 */

type None = Record<never, never>;

export interface AppFailures {
  /** The input does not match the contract. */
  input_malformed: None;
  connection_broke: None;
  starting: None;
  settings_unsaved: None;
  locked: None;
  unlocked_elsewhere: None;
  open_already: None;
  lock_on_already: None;
  not_asked_now: None;
  recovery_wrong: None;
  key_store_none: None;
  key_store_refuses: None;
  clipboard_busy: None;
  copied_by_page: None;
  restarted_by_hand: None;
  recovery_in_desktop_only: None;
  link_needs_lock: None;

  /** The file was prepared before a restart or a lock, or removed. */
  file_unprepared: None;
  /** Not all of its bytes were written. */
  file_unfinished: None;
  /** Not on this device. */
  file_missing: None;
  /** Deleted at the relay after its time. */
  file_gone: None;
  /** This computer has no space for it. */
  disk_full: None;
  /** The person stopped it. */
  file_stopped: None;
  /** A program or script. */
  file_is_program: None;
  file_unsaved: None;
  /** The system has no program for it. */
  file_not_opened: None;
  /** Only in the desktop app. */
  files_in_desktop_only: None;

  /** A later version made the history of another computer. */
  history_newer: None;
  /** Of another account. */
  backup_of_other: None;
  /** The person stopped it. */
  backup_stopped: None;
  /** No room in the place of the backup. */
  backup_no_room: None;
  /** The folder for automatic backups is not there, or its drive does not answer. */
  backup_folder_away: None;
  /** The system refuses to write there. */
  backup_folder_unwritable: None;
  /** Its disk returns something else than was written. */
  backup_folder_faulty: None;
  /** An earlier backup or restore still waits for its disk. */
  disk_silent: None;
  /** Another backup or restore is running. */
  backup_running: None;

  not_set_up: None;
  set_up_already: None;
  setting_up: None;
  no_relay_here: None;
  phrase_not_shown: None;
  phrase_words_wrong: None;
  secret_empty: None;
  secret_no_key: None;
  secret_one_word: None;
  secret_unknown_word: { word: string };
  secret_length: { words: number };
  secret_order: None;
  code_stranger: { character: string };
  code_length: { length: number; given: number };
  code_mistyped: None;
  secret_of_other: None;
  link_relay_needed: None;
  link_gone: None;
  /** The relay shows something else than the other computer has sent or signed. */
  link_unproven: None;
  /** The new computer has an offer of another account. */
  link_taken: None;
  own_device: None;

  handle_malformed: None;
  handle_in_use: { handle: string };
  handle_reserved: { handle: string };
  handle_or_address_malformed: None;
  handle_unknown: { handle: string };
  address_unknown: None;
  yourself: None;
  /** The relay has stored no new key of this computer for a week. */
  key_overdue: None;
  lists_changed: None;
  old_key_shown: None;

  chat_deleted: None;
  message_deleted: None;
  /** The file to import is not an export of a chat. */
  import_unknown: { line: number };
  /** A later version exported it. */
  import_newer: None;
  /** Another account exported it. */
  import_of_other: None;
  /** The file to import is a ZIP file without readable records. */
  import_zip_unreadable: None;
  /** From this line on, its records are damaged. */
  import_zip_damaged: { line: number };
  message_unknown: None;
  message_underway: None;
  /** An action on it would reach others before the message. */
  message_unsent: None;
  picture_by_admins: None;
  pin_by_admins: None;
  nothing_to_forward: None;
  person_blocked: None;
  invited_blocked: None;
  /** The relay opens accounts only for addresses on its operator's list. */
  address_not_listed: { address: string };
  /** The given recovery phrase or key belongs to another account. */
  other_account: None;
  /** `more` groups beyond the named ones. */
  owned_groups: { names: string; more: number };
  invited_no_device: { address: string };
  /** `who` has to open Waxwing: their devices were not shown for a day. */
  keys_withheld_long: { who: string };
  own_keys_withheld_long: None;

  group_unknown: None;
  group_name_empty: None;
  group_invitation_over: None;
  group_password_wrong: None;
  group_passwords_too_many: { seconds: number };
  /** Not an invite link. */
  invite_unknown: None;
  /** Cut, or with a changed character. */
  invite_damaged: None;
  /** A later version made the invite link. */
  invite_newer: None;
  /** An invite link to a server with its own certificate, which no version made yet. */
  invite_own_certificate: None;
  /** An invite link to another server than that of the account. */
  invite_elsewhere: { server: string };
  /** A link of the account that opens it. */
  invite_own: None;
  invite_expired: None;
  /** Canceled, or of a group that is not shown any more. */
  invite_over: None;
  /** The group has as many invite links as possible. */
  invite_links_full: { most: number };
  /** The person has as many open invite links as possible. */
  invites_full: { most: number };
  token_name_empty: None;
  key_name_empty: None;
  key_useless: None;

  /** The release is not signed for this channel and system. */
  update_unsigned: None;
  /** A later release was seen before. */
  update_older: None;
  update_other_file: None;
  update_unknown_form: None;
  update_insecure: None;
  update_empty: { file: string };
  update_answer_long: None;
  update_server_unreachable: None;
  /** Only an installed app can do this. */
  not_installed: None;
  /** macOS requires permission in System Settings, or refuses an unsigned app. */
  login_item_not_allowed: None;
  login_item_refused: None;
  /** macOS starts an app without a command line. */
  login_item_other_folder: None;
}
