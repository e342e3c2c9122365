/** Sentences for failures, by code (src/base/failure.ts): the failure, then the remedy. */
export const failure = {
  // The server cannot be reached, or its answer cannot be used.
  relay_silent: 'The server doesn’t answer. Check your connection and the server’s address.',
  relay_name_unknown: 'The server’s address wasn’t found. Check the address and your network.',
  relay_hung_up: 'The server closed the connection. Try again.',
  relay_certificate: 'The server’s certificate isn’t trusted. Ask its administrator.',
  relay_without_tls:
    'The server doesn’t use TLS at this address. On this computer, the address of a server begins with http://.',
  relay_unreachable: 'The server can’t be reached. Check your network.',
  proxy_malformed: '{from} isn’t the address of a proxy. Correct it and restart Waxwing.',
  proxy_unreachable: 'The proxy can’t be reached. Check Settings > Server.',
  proxy_refused:
    '{status, plural, =407 {The proxy asks for a name and password, which Waxwing can’t send.} other {The proxy refused the connection (status #). Check Settings > Server.}}',
  proxy_unsupported: 'Your system uses a kind of proxy that Waxwing doesn’t support. HTTP proxies work.',
  relay_late: 'The server didn’t answer in time. Try again.',
  not_a_relay: 'This address isn’t a Waxwing server. Check the address.',
  relay_wrong_answer: 'The server’s answer doesn’t match the request. Nothing was used.',
  relay_answer_compressed: 'The server sent an answer that Waxwing doesn’t accept.',
  relay_answer_long: 'The server sent an answer that is too long. Nothing was used.',
  clocks_differ:
    'The clocks of this computer and the server are {days, plural, one {a day} other {# days}} apart. Set this computer’s clock or, if it is right, report this to the operator of the server. Messages wait until then.',
  closing: 'Waxwing is closing.',
  devices_keep_changing: 'Their devices keep changing. Waxwing tries again.',
  group_keeps_changing: 'The group keeps changing. Waxwing tries again.',
  device_unregistered: 'This computer isn’t registered on the server yet. Waxwing tries again.',

  // A chat cannot be imported.
  import_unknown:
    'Line {line, number} isn’t from an exported chat. {line, plural, =1 {Choose the ZIP file of an export.} other {The lines before it are imported.}}',
  import_newer: 'A newer version of Waxwing exported this chat. Update Waxwing, and import it then.',
  import_of_other: 'Another account exported this chat. Nothing was imported.',
  import_zip_unreadable:
    'This ZIP file isn’t from an exported chat, or it is damaged or encrypted. Nothing was imported.',
  import_zip_damaged:
    'This ZIP file is damaged from line {line, number} on. The lines before it are imported. Copy the file again, or export the chat again.',

  // A file cannot be sent or fetched.
  file_too_long:
    'This file is too large for this server. The limit is {most, number, ::unit/megabyte unit-width-short scale/0.000001 .##}.',
  file_changed: 'This file changed while Waxwing read it. Try again.',
  file_spool_changed: 'This file has to be sent again.',
  file_not_as_sent: 'This is not the file that was sent.',
  file_too_slow: 'The server is too slow for this file. Try again later.',
  file_unprepared: 'Waxwing no longer has this file. Add it again.',
  file_unfinished: 'Waxwing couldn’t read the whole file. Add it again.',
  file_empty: 'This file is empty.',
  file_unreadable: 'Waxwing can’t read {path}.',
  file_details_malformed: 'The description of this file is too long.',
  too_many_files: 'You can send 10 files at a time.',
  caption_too_long: 'This text is too long for a caption. Shorten it, or send it as a message of its own.',
  file_missing: 'This file isn’t on this computer yet. Download it first.',
  file_gone: 'The server has deleted this file. Ask for it again.',
  disk_full: 'There isn’t enough room on this computer. Make room and try again.',
  file_stopped: 'You stopped sending this.',
  file_is_program: 'This file is a program. Save it, and open it there only if you trust it.',
  file_unsaved: 'The file couldn’t be saved there. Choose another folder.',
  file_not_opened: 'No program on this computer opens this file. Save it instead.',
  files_in_desktop_only: 'Only the desktop app can do this.',

  // A backup cannot be made or restored.
  backup_unknown: 'This file isn’t a Waxwing backup. Choose another one.',
  backup_newer: 'A newer version of Waxwing made this backup. Update Waxwing, and restore it then.',
  history_newer:
    'Your other computer has a newer version of Waxwing. Update Waxwing on this one to continue.',
  backup_damaged: 'This backup is damaged, and nothing in it was used. Choose another copy of it.',
  backup_damaged_in_part:
    'This backup is damaged. A part of it was restored. Choose another copy of it for the rest.',
  backup_unreadable:
    'The backup can’t be read. Connect its disk or network drive again, then choose the backup again.',
  backup_secret_wrong: 'This doesn’t open the backup. Check the passphrase or recovery phrase.',
  backup_of_other: 'This backup belongs to another account. Nothing was changed.',
  backup_stopped: 'You stopped this.',
  backup_no_room:
    'There isn’t enough room for the backup where it is saved. Make room there, or choose another place.',
  backup_folder_away: 'The backup folder isn’t connected. Waxwing tries again every hour.',
  backup_folder_unwritable: 'Waxwing can’t write to the backup folder. It tries again every hour.',
  backup_folder_faulty:
    'The disk of the backup folder returned something other than Waxwing wrote. Check the disk, or choose another folder.',
  backup_folder_empty:
    'This folder has no backup. Choose the folder named “Waxwing backup”, or the one around it, and check that its disk is connected.',
  backup_folder_changed:
    'The backup folder has files that this computer didn’t write. Nothing in it was changed. Choose another folder.',
  disk_silent:
    'An earlier backup or restore still waits for a disk that doesn’t answer. Connect it again, or restart Waxwing.',
  backup_running: 'A backup or restore is already running.',

  // Data of the server without a valid signature.
  keys_withheld: 'Waiting for {who}’s current devices. The server doesn’t show them yet.',
  own_keys_withheld: 'Waiting for your own current devices. The server doesn’t show them yet.',
  keys_withheld_long:
    'The server hasn’t shown {who}’s current devices for 24 hours. Ask {who} to open Waxwing, then retry.',
  own_keys_withheld_long:
    'The server hasn’t shown your own current devices for 24 hours. Open Waxwing on your other computers, then retry.',
  lists_differ:
    'There are two different device lists for {who}, and both are signed. Nothing is sent to them until you choose one in their details.',
  own_lists_differ:
    'There are two different device lists for your account, and both are signed. Nothing is sent until that’s fixed.',
  keys_unproven: 'Waxwing can’t confirm this person’s devices. Nothing is sent to them.',
  own_list_lost:
    'The server has lost device lists of yours that this computer doesn’t have either. Open Waxwing on the computer that you’ve used longest.',
  own_list_forged: 'The server shows devices that you didn’t add. Nothing is sent until that’s fixed.',
  group_without_you:
    'The server no longer allows you to read this group, and the group’s signed changes give no reason.',
  roster_newer: 'A newer version of Waxwing changed this group. Update Waxwing to send to it.',
  roster_broken:
    'Change {epoch, number} of this group, as the server shows it, isn’t valid. Nothing is sent to the group.',
  roster_ahead:
    'The newest change of this group lies in the future by this computer’s clock. Check the clock. Nothing is sent to the group until then.',
  roster_list_missing:
    'The server doesn’t show the devices of {who} that changed this group. Nothing is sent to the group until it does.',
  roster_behind:
    'The server’s view of this group doesn’t match its signed changes. Nothing is sent to the group until it does.',
  roster_replaced:
    'The server has lost changes of this group and shows others in their place. It may have been restored from a backup. Nothing is sent to the group until the owner or an admin continues with the server’s version, and then you do.',
  roster_unconfirmed:
    'The owner or an admin has to continue first, so that no removed person becomes a member again.',
  roster_split:
    'The server shows other members of this group something else than it shows you. Nothing is sent to the group until that’s settled.',
  roster_device_dropped:
    'A device that {who} has removed since made change {epoch, number} of this group. Nothing is sent to the group until the owner or an admin confirms it.',
  groups_too_many:
    'The server shows more than {most, plural, one {# group} other {# groups}} of yours. The others aren’t used.',
  key_overdue:
    'The server hasn’t accepted a new key from this computer for a week. Until it does, anyone who steals this computer’s keys can read everything sent to it.',
  old_key_shown: 'The server showed an old key of one of their devices. It was skipped.',

  // The account and its files.
  identity_unreadable: 'The account in {path} can’t be read ({reason}).',
  identity_unwritable: 'The account in {path} can’t be saved ({reason}).',
  identity_not_json: 'The file {path} isn’t an account.',
  identity_malformed: 'The file {path} isn’t an account that this version can read.',
  identity_wrong_passphrase: 'This passphrase doesn’t open {path}, or the file is damaged.',
  identity_wrong_key: 'This key doesn’t open {path}, or the file is damaged.',
  identity_passphrase_empty: 'Enter a passphrase.',
  identity_passphrase_missing: 'The account in {path} needs its passphrase.',
  identity_key_elsewhere: 'The key of {path} is kept elsewhere. Open it with the program that made it.',
  identity_unregistered: 'This account isn’t registered on the server yet.',
  identity_needed: 'This needs an account.',
  identity_of_another: 'This secret belongs to another account.',
  identity_groups_full:
    'This account is in {most, plural, one {# group} other {# groups}}, and there’s no room for more.',
  device_removed:
    'This computer was removed from your account. To use it again, delete the data here under Settings > Storage, then recover your account with your recovery phrase.',
  device_refused:
    'The server no longer accepts this computer. It was removed from your account, or its access has expired. To use it again, delete the data here under Settings > Storage, then link it once more.',
  wallet_not_kept: 'This needs your recovery phrase, which isn’t kept on this computer.',
  devices_full:
    'You already use Waxwing on {most, plural, one {# device} other {# devices}}. Remove one first.',

  // Invalid input.
  input_malformed: 'Waxwing doesn’t understand this input. Check it and try again.',
  relay_address_malformed: 'A server address looks like https://chat.example. Check this one.',
  relay_address_insecure: 'A server on another computer needs https.',
  relay_version: 'This server speaks version {version}, and this app version 1. Update Waxwing.',
  handle_malformed: '3–32 characters: a–z, 0–9, _. Start with a letter.',
  handle_in_use: '@{handle} is taken. Try another.',
  handle_reserved: '@{handle} is reserved. Try another.',
  handle_or_address_malformed:
    'A handle has 3–32 characters: a–z, 0–9, _, and starts with a letter. An address starts with 0x.',
  handle_unknown: 'No one on this server has the handle @{handle}.',
  address_unknown: 'No one with this address uses this server.',
  address_malformed: 'This isn’t an address. An address has 0x and 40 characters: 0–9 and a–f.',
  secret_missing: 'The API key or bot token is empty.',
  secret_malformed: 'This isn’t an API key or a bot token.',
  address_mistyped: 'Check this address. One of its characters may be mistyped.',
  yourself: 'That’s you.',
  bot_key_malformed: 'This isn’t a bot key.',
  bot_key_without_token: 'A bot key needs a bot token, too.',
  message_empty: 'Write a message first.',
  message_differs: 'This message was started with other files.',
  message_too_long:
    'This message has {bytes, number} bytes, and the limit is {most, number}. Send it in parts.',
  group_password_unusable: 'This can’t be a group’s password. Use letters, digits and signs.',
  name_empty: 'Enter a name.',
  name_malformed: 'A name can’t contain line breaks or control characters.',
  description_malformed: 'A description can’t contain control characters.',
  name_long: 'This name is too long. Use up to {most} characters.',
  about_long: 'This text is too long. Shorten it.',
  description_long: 'This description is too long. Use up to {most} characters.',
  group_name_empty: 'A group needs a name.',
  token_name_empty: 'A token needs a name, so you can recognize it.',
  key_name_empty: 'A key needs a name, so you can recognize it.',
  key_useless: 'A key needs at least one permission.',
  secret_empty: 'Enter your recovery phrase or private key.',
  secret_no_key: 'This number isn’t a private key.',
  secret_one_word: 'A private key has 64 hexadecimal digits, and a recovery phrase 12–24 words.',
  secret_unknown_word: '“{word}” isn’t a word of a recovery phrase. Check the spelling.',
  secret_length: 'A recovery phrase has 12 or 24 words. This one has {words}.',
  secret_of_other: 'This belongs to another account.',
  secret_order: 'These words aren’t a recovery phrase. Check each word and the order.',
  code_stranger: '“{character}” isn’t used in codes. Compare it with the other computer.',
  code_length: 'A code has {length} letters and digits. This one has {given}.',
  code_mistyped: 'Something in this code is mistyped. Compare it with the other computer.',

  // Starting and stopping.
  starting: 'Waxwing is starting. Try again in a moment.',
  connection_broke:
    'The connection to Waxwing was lost. Check whether your last action worked, then try again.',
  folder_unusable:
    '{reason, select, EEXIST {{path} is a file. Waxwing needs a folder.} ENOTDIR {A part of the path {path} is a file. Waxwing needs a folder.} EROFS {The disk of {path} can only be read.} ENOSPC {The disk of {path} is full.} other {The folder {path} can’t be used. Check its permissions.}}',
  folder_busy: 'Waxwing is already running with the data in {path}. Close it first.',
  folder_shared:
    'The folder {path} is shared with other accounts of this computer. Start Waxwing with a folder of your own.',
  folder_open:
    'Other accounts of this computer can read {path}. Change its permissions so that only you can read it.',
  settings_unreadable:
    'The settings in {path} can’t be read ({reason}). Correct the file, or delete it to use the usual settings.',
  settings_unsaved: 'The settings couldn’t be saved. Check for free space on the disk.',
  keys_missing:
    'The folder {path} contains messages, but not their key {file}. Restore that file from a copy. Nothing was changed.',
  key_vanished: 'The key in {path} was removed just now. Start Waxwing again.',
  key_unreadable: 'The key file {path} can’t be read ({reason}).',
  key_unwritable: 'The key file {path} can’t be saved ({reason}).',
  key_damaged:
    'The key file {path} is damaged, or from a newer version. Put back a copy. Without it, your messages can’t be read.',
  interface_missing: 'Waxwing’s interface isn’t built yet.',
  page_script_missing: 'Waxwing’s interface isn’t complete. Build it again.',
  relay_here_unusable: 'The server on this computer can’t start. {problem}',
  relay_here_stopped: 'The server on this computer stopped. Start Waxwing again.',
  engine_stopped: 'Waxwing stopped. Start it again. Nothing saved is lost.',
  data_newer: 'A newer version of Waxwing has used this data. Update Waxwing to open it.',
  data_busy: 'Waxwing is already running with this data. Use that window, or close it first.',
  data_no_room:
    'This version of Waxwing stores your data in another format. It needs up to {needed, number} MB of free disk space for the change, and {free, number} MB is free. Free some space, then start Waxwing again. Your messages are safe.',
  data_key_wrong: 'The key doesn’t open the messages on this computer. Nothing was changed.',
  data_of_other_relay: 'This data belongs to {relay}. Start Waxwing with that server, or with other data.',
  data_of_embedded_relay:
    'This data belongs to the server on this computer. Start Waxwing without another server to use it.',
  unexpected: 'Something went wrong ({id}). Try again. The log has the details under this code.',

  // The lock.
  locked: 'Waxwing is locked. Unlock it to continue.',
  unlocked_elsewhere: 'Waxwing was unlocked on another page, so this page no longer works.',
  open_already: 'Waxwing is already open.',
  lock_on_already: 'App lock is already on.',
  not_asked_now: 'Waxwing doesn’t need this to unlock now.',
  passphrase_wrong: 'This isn’t the passphrase.',
  passphrase_short:
    'A passphrase has at least {least, plural, one {# character} other {# characters}}. Four random words work well.',
  passphrase_guessable:
    '{reason, select, repeated {This passphrase is too repetitive.} sequence {This passphrase follows the alphabet or the keyboard.} own_name {Don’t use your own handle or name.} other {This is one of the most common passphrases.}} Four random words work well.',
  passphrase_not_set: 'No passphrase is set here. Start Waxwing again.',
  attempts_too_many:
    'There were {failed, plural, one {# wrong passphrase} other {# wrong passphrases}}. Try again in {seconds, plural, one {# second} other {# seconds}}.',
  recovery_wrong: 'This belongs to another account. It doesn’t open these messages.',
  key_store_none: 'This computer has no keychain. Choose a passphrase.',
  key_store_refuses: 'The keychain doesn’t open now. Try again.',
  recovery_in_desktop_only: 'Your recovery phrase is available only in the desktop app.',
  clipboard_busy: 'Another program is using the clipboard. Copy it again.',
  restarted_by_hand: 'Stop Waxwing and start it again.',
  copied_by_page: 'The browser copies this without Waxwing’s help.',

  // Setting up and linking.
  not_set_up: 'Set up your account first.',
  set_up_already: 'Your account is already set up.',
  setting_up: 'Your account is being set up.',
  no_relay_here: 'There’s no server on this computer. Enter a server address.',
  phrase_not_shown: 'Your recovery phrase wasn’t shown yet. Start again.',
  phrase_words_wrong: 'These aren’t the right words. Check your notes, or go back to see the phrase.',
  link_needs_lock: 'To link from a browser, turn on App lock under Settings > Privacy & lock.',
  link_relay_needed: 'Choose the same server as on your other computer.',
  link_gone: 'No computer waits with this code. It may have expired. Show a new code on the new computer.',
  link_unproven:
    'The server returned something your other computer didn’t send. Nothing was linked. Don’t use this server until you know why.',
  link_taken: 'Another account has already offered to link that computer. Show a new code there.',
  own_device: 'You’re using this device. Remove it on another one.',

  // Updates of the app.
  update_unsigned: 'Update not installed: invalid signature.',
  update_older: 'Update not installed: the update server offers an older version than before.',
  update_other_file: 'Update not installed: the download isn’t the file that the release names.',
  update_unknown_form: 'Update not installed: this version can’t read the release.',
  update_insecure: 'Update not installed: the update server didn’t use https.',
  update_empty: 'Update not installed: {file} on the update server is empty.',
  update_answer_long: 'Update not installed: the update server’s answer is too long.',
  update_server_unreachable: 'Can’t reach the update server. Try again later.',
  login_item_not_allowed:
    'macOS hasn’t allowed it. In System Settings, open General > Login Items and allow Waxwing.',
  login_item_refused: 'Your system didn’t accept the change. Try again later.',
  login_item_other_folder: 'macOS can start Waxwing only with its usual data folder, not with this one.',
  not_installed: 'Only the installed app can start when you log in.',

  // Chats and groups.
  lists_changed: 'These device lists have changed. Compare them again.',
  chat_deleted: 'This chat was deleted.',
  message_deleted: 'This message was deleted.',
  message_unknown: 'This message isn’t here.',
  message_underway: 'This message is already being sent.',
  message_unsent: 'This message isn’t sent yet. Try again when it is.',
  message_not_yours: 'Only the person who sent this message can change it.',
  edit_too_late: 'Messages can be edited for 24 hours.',
  message_ref_malformed: 'This reference doesn’t name a message.',
  message_elsewhere: 'This message is in another chat.',
  reaction_malformed: 'A reaction has up to five emoji.',
  mention_absent: '“{words}” isn’t in the text.',
  timer_malformed: 'Messages can disappear after 30 seconds to a year.',
  picture_by_admins: 'Only the group’s owner and admins can change its picture.',
  pin_by_admins: 'Only the owner and admins can pin messages here.',
  nothing_to_forward: 'This message has no text to forward.',
  person_blocked: 'You blocked this person. Unblock them to write to them.',
  invited_blocked: 'You blocked this person. Unblock them to invite them.',
  no_device: 'This person can’t receive messages now.',
  no_other_device: 'This is your own address, and you have no other device that can receive messages now.',
  invited_no_device: '{address} can’t receive invitations now.',
  group_unknown: 'This group isn’t on this computer anymore.',
  bots_full: 'This group has {most} bots, as many as a group can have. Revoke one first.',
  bot_name_taken: 'This group has a token with the name “{name}”. Choose another name.',
  bot_not_in_group: 'This bot is no longer in the group.',
  bot_key_missing: 'This group doesn’t show unsigned posts of bots. Add the bot’s key.',
  roster_act_refused:
    '{reason, select, ticket_needed {You need an invitation to join this group again.} wrong_password {This isn’t the group’s password.} no_password {This group needs an invitation.} proof_needed {This group needs a password or an invitation.} too_many_joins {You’ve joined this group too often today. Try again tomorrow.} too_many_members {This group has as many members as a group can have.} ticket_expired {This invitation has expired. Ask for a new one.} ticket_void {This invitation was canceled. Ask for a new one.} ticket_signer {The person who invited you can’t invite to this group anymore.} not_allowed {Only the group’s owner can do this, or for some changes an admin.} remove_not_allowed {You can’t remove this person from the group.} not_a_member {You’re no longer in this group.} other {This doesn’t fit the group as it is now. Try again.}}',
  group_left: 'You’re no longer in this group, so you can’t send to it.',
  group_not_found: 'This group no longer exists on this server, so you can’t send to it.',
  group_invitation_over: 'This group needs a password or an invitation. Ask its owner or an admin.',
  group_password_wrong: 'This isn’t the group’s password, or there’s no such group.',
  group_passwords_too_many:
    'Too many wrong passwords. Try again in {seconds, plural, one {# second} other {# seconds}}.',

  // An invite link cannot be used or made.
  invite_unknown: 'This isn’t an invite link. Copy the whole link and paste it again.',
  invite_damaged: 'This invite link is incomplete. Copy the whole link again, or ask for a new one.',
  invite_newer: 'A newer version of Waxwing made this invite link. Update Waxwing, and open it then.',
  invite_own_certificate:
    'This invite link is for a server with its own certificate, which Waxwing can’t use. Ask the server’s administrator.',
  invite_elsewhere:
    'This invite link works only on the server {server}, and your account is on another server. Ask for a link to your server.',
  invite_own: 'This is your own invite link. Give it to the person you want to chat with.',
  invite_expired: 'This invite link has expired. Ask for a new one.',
  invite_over: 'This invite link has expired or was canceled. Ask for a new one.',
  invites_full: 'You have {most, number} open invite links. Cancel one, and create a new one then.',
  invite_links_full:
    'This group already has {most, plural, one {# invite link} other {# invite links}}. Cancel one first.',

  // Refusals of the server.
  invalid_request: 'The server didn’t understand the request. Update Waxwing.',
  unauthorized: 'The server doesn’t accept this sign-in. Try again.',
  forbidden:
    '{reason, select, not_creator {Only the group’s owner can do this.} creator_left {You left this group, so you can’t create tokens for it.} developer_access_locked {Unlock Developer API access first.} members_invite_nobody {Only the administrator of this server creates invitation codes.} other {The server doesn’t allow this for you.}}',
  missing_entitlement: 'This key doesn’t have the permission for this.',
  not_a_member: 'You’re not a member of this group.',
  group_token_not_allowed: 'Bot tokens can’t do this.',
  wrong_password: 'This isn’t the group’s password, or there’s no such group.',
  not_found:
    '{reason, select, group {This group doesn’t exist on this server.} account {No one with this address uses this server.} recipient_deleted {This person deleted their account on this server.} member {This person isn’t in this group.} group_token {This token is already gone.} api_key {This key is already gone.} other {This isn’t on the server.}}',
  method_not_allowed: 'The server doesn’t support this. Update Waxwing.',
  request_timeout: 'The server waited too long for the request. Try again.',
  account_deleted: 'Your account on this server was deleted. You can open it again in Settings.',
  invitation_required:
    'This server needs an invitation code that still works. Go back to check it, or ask the person who invited you.',
  address_not_listed: 'Ask the server’s administrator to add your address, then try again: {address}',
  registration_closed: 'Your address isn’t on this server’s list. Ask its administrator to add it.',
  other_account: 'This belongs to another account. Nothing was deleted.',
  owned_groups:
    'Other members are still in groups you own. Leave these first, then delete your account: {names}{more, plural, =0 {} other { and # more}}',
  owns_groups: 'You own a group with other members. Leave it first, then delete your account.',
  account_suspended: 'The administrator of this server has suspended your account. Ask them about it.',
  handle_taken: 'This handle is taken. Try another.',
  device_list_conflict: 'Your devices changed at the same time elsewhere. Try again.',
  seal_key_conflict: 'The server didn’t accept this computer’s new key. Waxwing tries again.',
  roster_conflict: 'The group changed at the same time. Try again.',
  roster_refused: 'The server didn’t accept this change to the group.',
  link_conflict: 'This code is already in use. Show a new one on the new computer.',
  quota_reached:
    '{reason, select, devices {You already use Waxwing on as many devices as this server allows. Remove one first.} apiKeys {You have as many API keys as this server allows. Revoke one first.} groups {You’re in as many groups as this server allows. Leave one first.} groupTokens {Your groups have as many bot tokens as this server allows. Revoke one first.} groupMembers {This group has as many members as this server allows.} invitations {Too many invitation codes of yours can still be used. Wait until some are used or have expired.} other {You’ve reached a limit on this server. Remove something, or ask its administrator.}}',
  blob_conflict: 'The server has another file in this place. Try again.',
  blob_incomplete: 'The server didn’t get the whole file. Try again.',
  blob_quota:
    '{reason, select, account {Your files use all the space that this server allows you. Delete some, and try again a quarter of an hour later.} unfinished {Too many files are being uploaded. Wait until some are done.} other {The server has no room for more files. Try again later.}}',
  range_unsatisfiable: 'The server doesn’t have this part of the file.',
  too_large: 'This is larger than the server allows.',
  unsupported_media_type: 'The server didn’t understand the request. Update Waxwing.',
  misdirected_request: 'The server didn’t understand the request. Update Waxwing.',
  plaintext_rejected: 'The server refused this message because it isn’t encrypted as it should be.',
  unknown_device: 'The server doesn’t know this device anymore. Waxwing tries again.',
  rate_limited: 'Too many requests at once. Wait a moment, then try again.',
  headers_too_large: 'The server didn’t understand the request. Update Waxwing.',
  internal: 'The server failed. Try again later.',
  unavailable: 'The server isn’t available now. Try again later.',
  inbox_full: 'Their inbox is full. Waxwing tries again.',
  relay_problem: 'The server refused this for a reason that Waxwing doesn’t know. Update Waxwing.',
} as const;
