/**
 * Every reason for a refusal by this relay, under its code (src/protocol/problems.ts): one sentence each, for
 * people who read the log of a program. A program reads code and reason, never the sentence.
 */
import { FAULTS, type FaultOf, type ParametersOf } from '../../protocol/faults.ts';
import type { ProblemCode } from '../../protocol/problems.ts';
import { ROSTER_REFUSALS } from './roster-refusals.ts';

/** The only reason of a code has the code's name. */
export const REASONS = {
  invalid_request: {
    malformed: () => 'The request is not well formed.',
    /** `fault` is one of FIELD_FAULTS in src/protocol/faults.ts. */
    field: ({ path, fault }: { path: string; fault: string }) =>
      `The request is not well formed. ${subjectOf(path, fault)}${fault}.`,
    http_malformed: () => 'This is not well-formed HTTP.',
    path_malformed: () => 'The path is not well formed.',
    body_length: () => 'The length of the body differs from Content-Length.',
    body_not_utf8: () => 'The body is not well-formed UTF-8.',
    body_not_json: () => 'The body is not JSON.',
    body_byte_order_mark: () => 'The body begins with a byte order mark. JSON has none.',
    body_deep: ({ levels }: { levels: number }) => `The body is nested deeper than ${levels} levels.`,
    body_scalar_long: ({ bytes }: { bytes: number }) =>
      `The body has a number or literal that is longer than ${bytes} bytes.`,
    body_name_long: ({ bytes }: { bytes: number }) =>
      `The body has a field whose name is longer than ${bytes} bytes.`,
    body_object_large: ({ fields }: { fields: number }) =>
      `The body has an object with more than ${fields} fields.`,
    body_field_twice: ({ field }: { field: string }) =>
      `The body has the field "${field}" twice in one object.`,
    device_list: ({ fault }: { fault: FaultOf<'deviceList'> }) =>
      `This device list cannot be published: ${FAULTS.deviceList[fault]}.`,
    seal_key: ({ fault }: { fault: FaultOf<'sealKey'> }) =>
      `This seal key cannot be used: ${FAULTS.sealKey[fault]}.`,
    seal_key_of_other_device: () => 'The seal key names another device than the path.',
    pq_key_stray: () => 'No seal key names this post-quantum key.',
    pq_key_missing: () => 'The post-quantum key that a seal key names is missing.',
    pq_key_unusable: () => 'A post-quantum key is not a key of ML-KEM-768.',
    seal_key_unlisted: () => 'A seal key belongs to a device that the list does not have.',
    password_missing: () => 'A new joinKey needs the relay’s half of the password.',
    password_stray: () => 'A password is accepted only with a new joinKey.',
    key_of_other_device: () => 'The deviceId in the path does not belong to this key.',
    offer_of_other_address: () => 'The offer names another address than your own.',
    part_number: ({ parts }: { parts: number }) => `This blob has ${parts} parts, numbered from 0.`,
    part_length: ({ bytes }: { bytes: number }) => `This part has ${bytes} bytes.`,
    part_digest: () => 'The SHA-256 of the part differs from Content-Digest.',
    expiry_past: () => 'expiresAt must be in the future.',
    invitation_expiry: () => 'expires must be in the future, and at most 30 days ahead.',
  },
  unauthorized: {
    credential: () =>
      'The call has no credential, or one that is wrong, expired, revoked or locked. Send a valid one: Authorization: Bearer …',
    login: () => 'The login could not be verified. Ask for a new challenge and sign it.',
  },
  forbidden: {
    token_of_other_group: () => 'This token is for another group.',
    not_creator: () => 'Only the owner of the group can do this, and only as a member.',
    entry_of_another: () => 'The caller must sign the first entries of a group.',
    creator_left: () => 'You have left this group, so you cannot create tokens for it.',
    developer_access_locked: () => 'Developer API access is locked. Unlock it, then create the key.',
    members_invite_nobody: () => 'Only the operator of this relay creates invitation codes.',
  },
  account_suspended: {
    account_suspended: () => 'This account is suspended at this relay. Ask the operator of the relay why.',
  },
  account_deleted: {
    account_deleted: () =>
      'This account was deleted at this relay. Only a login with the wallet and reopen: true opens it again.',
  },
  invitation_required: {
    /** One answer for a missing, wrong, used or expired code. */
    invitation_required: () =>
      'A new account at this relay needs an unused invitation code. Ask the operator for one.',
  },
  registration_closed: {
    registration_closed: () =>
      'This relay accepts only addresses that its operator has added. Ask the operator to add this one.',
  },
  missing_entitlement: {
    missing_entitlement: ({ entitlement }: { entitlement: string }) =>
      `This call needs the entitlement ${entitlement}, which this credential lacks.${entitlement.endsWith(':manage') ? ' Only a session has it: log in.' : ''}`,
  },
  not_a_member: {
    caller: () => 'Only current members of the group can do this. Join it first.',
    recipient: ({ index, address }: { index: number; address: string }) =>
      `Nothing was sent: ${address}, the recipient of envelope ${index}, is not a current member of this group. Read the group again and seal for its current members.`,
  },
  group_token_not_allowed: {
    group_token_not_allowed: () =>
      'A group token does not belong to a person, so it has no own groups. Leave out mine=1, or use an API key.',
  },
  wrong_password: {
    wrong_password: () => 'This is not the password of a group with this id.',
  },
  not_found: {
    path: () => 'There is nothing at this path. The page of the relay, at /, has all calls.',
    page: () =>
      'The relay’s page is not built. Run `node scripts/make-relay-docs.ts` in the checkout of Waxwing.',
    handle: ({ handle }: { handle: string }) => `No account here has the public handle @${handle}.`,
    devices: () => 'This address has no devices on this relay, so nothing can be sealed for it.',
    recipient_devices: ({ address }: { address: string }) =>
      `${address} has no devices on this relay, so nothing can be delivered to it.`,
    recipient_deleted: ({ address }: { address: string }) =>
      `${address} has deleted its account at this relay, so nothing can be delivered to it.`,
    group: () => 'There is no group with this id.',
    account: () => 'This address has no account here.',
    group_token: () => 'This group has no token with this id.',
    api_key: () => 'You have no API key with this id.',
    /** One answer for an unknown and an expired one. */
    link: () => 'No computer waits here. A code works for ten minutes.',
    /** One answer for an unknown, an expired and an unfinished one. */
    blob: () => 'There is no blob with this id.',
    link_offer: () => 'There is no offer for this computer yet, or it no longer waits.',
  },
  method_not_allowed: {
    method_not_allowed: ({ allowed, method }: { allowed: readonly string[]; method: string }) =>
      `This path accepts ${allowed.join(', ')}, not ${method}.`,
  },
  request_timeout: {
    request_timeout: () => 'The request did not arrive in time.',
  },
  handle_taken: {
    other_account: ({ handle }: { handle: string }) =>
      `@${handle} belongs to another account. Choose another handle.`,
    reserved: ({ handle }: { handle: string }) =>
      `@${handle} is reserved, because people would take it for this relay. Choose another handle.`,
  },
  device_list_conflict: {
    device_list_conflict: () =>
      'This list does not follow the published one. Read the published list and sign the next.',
  },
  seal_key_conflict: {
    key: () =>
      'The sequence of the seal key is not greater than the last one, or another device has this key.',
    list: ({ named, published }: { named: number; published: number }) =>
      `The seal key names device list ${named}, and the published one is ${published}. Publish the lists up to it first.`,
  },
  link_conflict: {
    device: () => 'This computer already waits, under another name.',
    offer: () => 'This computer already has another offer. Create another code.',
  },
  owns_groups: {
    owns_groups: () =>
      'This account is the owner of a group that has other members. Leave the group, then delete the account.',
  },
  roster_conflict: {
    roster_conflict: () =>
      'The chain of this group has another entry in this place. Read and verify the new entries, then sign yours again.',
  },
  /** Each has the name of its quota in `quotas` of `GET /me`. */
  quota_reached: {
    devices: ({ most }: { most: number }) => `An account has at most ${most} devices here. Remove one first.`,
    apiKeys: ({ most }: { most: number }) =>
      `You have ${most} API keys, as many as this relay allows. Revoke one first.`,
    groups: ({ most }: { most: number }) =>
      `You are in ${most} groups, as many as this relay allows. Leave one first.`,
    groupTokens: ({ most }: { most: number }) =>
      `Your groups have ${most} tokens, as many as this relay allows. Revoke one first.`,
    groupMembers: ({ most }: { most: number }) =>
      `The group has ${most} members, as many as this relay allows.`,
    invitations: ({ most }: { most: number }) =>
      `${most} invitation codes of yours can still be spent. Wait until some are spent or have expired.`,
  },
  blob_conflict: {
    owner: () => 'Another account has a blob with this id. Seal the file again, with a new key.',
    size: () => 'You upload a blob with this id that has another size. Seal the file again, with a new key.',
    bytes: () => 'This part is already stored, with other bytes. Seal the file again, with a new key.',
  },
  blob_incomplete: {
    blob_incomplete: ({ parts }: { parts: number }) =>
      `${parts} parts are missing. Upload them, then finish the blob.`,
  },
  too_large: {
    body: () => 'The body is larger than the limit of this relay.',
    body_of_call: ({ bytes }: { bytes: number }) =>
      `The body is larger than ${bytes} bytes, the limit of this call.`,
    body_values: ({ values }: { values: number }) =>
      `The body has more than ${values} values, the limit of this call.`,
    payload: ({ bytes }: { bytes: number }) => `An envelope can have at most ${bytes} bytes at this relay.`,
    ciphertext: () => 'The ciphertext is longer than the limit of an envelope.',
    blob: ({ bytes }: { bytes: number }) => `A blob has at most ${bytes} bytes at this relay.`,
    blob_part: ({ bytes }: { bytes: number }) =>
      `The body is longer than this part, which has ${bytes} bytes.`,
    batch: ({ most, given }: { most: number; given: number }) =>
      `A batch has at most ${most} envelopes; this one has ${given}.`,
    post: ({ most, given }: { most: number; given: number }) =>
      `A post has at most ${most} envelopes; this one has ${given}. Send it in several, with the same message inside.`,
  },
  unsupported_media_type: {
    unsupported_media_type: () => 'The body must be application/json.',
    octets: () => 'The body must be application/octet-stream.',
    content_encoding: () =>
      'The body has a Content-Encoding that is not supported. Send it uncompressed, without this header.',
  },
  range_unsatisfiable: {
    range_unsatisfiable: ({ size }: { size: number }) =>
      `The blob has ${size} bytes; this range is beyond its end.`,
  },
  misdirected_request: {
    misdirected_request: () => 'This relay has another name. Send exactly one Host header, with its name.',
  },
  plaintext_rejected: {
    field: ({ field }: { field: string }) =>
      `The field "${field}" looks like plaintext. Seal the message on your machine and send only the sealed fields.`,
    /** `fault` is one of FIELD_FAULTS in src/protocol/faults.ts. */
    field_unsealed: ({ field, fault }: { field: string; fault: string }) =>
      `This is not a sealed envelope: ${field} ${fault}.`,
    blob: () =>
      'The first part of the blob is text. Seal the file on your machine and upload the sealed blob.',
    shape: ({ fault }: { fault: FaultOf<'shape'> }) =>
      `This is not a sealed envelope: ${FAULTS.shape[fault]}.`,
  },
  unknown_device: {
    own: () => 'This device is not in the published device list of your address.',
    recipient_key: ({ address }: { address: string }) =>
      `recipientDeviceKey is not a current key of ${address}. Read its keys again and seal again.`,
    recipient_key_replaced: () => 'This device has a new key. Read the group again.',
    recipient: ({ index, address }: { index: number; address: string }) =>
      `Nothing was sent: envelope ${index} names a key that is not a device key of ${address}. Read the group again and seal for its current members.`,
  },
  /** Each has the fold's name for it. */
  roster_refused: ROSTER_REFUSALS,
  rate_limited: {
    calls: () => 'Too many calls in a short time. Wait a little and try again.',
    wrong_invitations: () => 'Too many wrong invitation codes. Wait before the next try.',
    wrong_passwords: () => 'Too many wrong passwords. Wait before the next try.',
    traffic: () => 'You transfer too much at the same time. Make one call after the other.',
    long_answers: () => 'Too many of your large requests are running. Wait until some of them are complete.',
    held_polls: ({ most }: { most: number }) =>
      `This credential already has ${most} open inbox calls. Wait until one of them ends.`,
    changes: () =>
      'You have made too many changes in one day. Try again later. Calls that remove or revoke something are always accepted.',
    links: () => 'Too many computers of your network wait to be linked. Try again later.',
    joins: () => 'Too many people of your network joined this group without an invitation. Try again later.',
    device_lists: () => 'Too many device lists of this account in one day. Publish the next one later.',
    recipient: ({ address }: { address: string }) =>
      `Too much is being sent to ${address}. Send again later.`,
  },
  headers_too_large: {
    headers_too_large: () => 'The headers are larger than the limit of this relay.',
  },
  internal: {
    internal: () => 'The relay failed. You can send the request again.',
  },
  unavailable: {
    store: () => 'The relay cannot store anything at the moment. Try again.',
    long_answers: () => 'Too many large requests are running at the moment. Try again.',
    blobs: () => 'The relay cannot store or read files at the moment. Try again.',
    stopping: () => 'This relay is stopping.',
    transfers: () => 'Too many files are being transferred at the moment. Try again.',
  },
  blob_quota: {
    account: () =>
      'Your files use all the space that this relay allows an account. Delete some, which frees their space after a quarter of an hour, or wait until some expire.',
    unfinished: () => 'You have too many unfinished uploads. Finish or delete some of them.',
    stored: () => 'The relay has no space for more files. Try again later.',
  },
  inbox_full: {
    inbox_full: ({ address }: { address: string }) =>
      `Too much is waiting for a device of ${address}. Send again later.`,
  },
} as const satisfies Record<ProblemCode, Record<string, (parameters: never) => string>>;

/** The subject of a fault: a field by its path, or the whole body. */
function subjectOf(path: string, fault: string): string {
  if (path !== '') return `${path}: `;
  return /^(?:is|must) /.test(fault) ? 'The body ' : '';
}

/** The reasons under a code. */
export type ReasonOf<C extends ProblemCode> = C extends ProblemCode
  ? keyof (typeof REASONS)[C] & string
  : never;

/** The parameters of a reason's sentence. */
export type ReasonParameters<C extends ProblemCode, R extends ReasonOf<C>> = (typeof REASONS)[C][R &
  keyof (typeof REASONS)[C]] extends infer Sentence extends (parameters: never) => string
  ? ParametersOf<Sentence>
  : never;
