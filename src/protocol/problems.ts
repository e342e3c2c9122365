/**
 * Every error of a relay, by its code. The finer reasons and their sentences belong to the relay. The wire form is
 * RFC 9457 `application/problem+json`.
 */

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

interface ProblemKind {
  status: number;
  title: string;
  /** The circumstances, for the documentation. */
  when: string;
}

export const PROBLEMS = {
  invalid_request: {
    status: 400,
    title: 'The request is not well formed',
    when: 'A field is missing, unknown, duplicated or malformed; the body is not JSON in UTF-8, or is nested deeper than 16 levels.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid credential',
    when: 'The credential is missing, wrong, revoked or expired, or a login could not be verified. The response is the same in all cases.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    when: 'The credential is valid, but does not permit this call.',
  },
  account_suspended: {
    status: 403,
    title: 'Account suspended',
    when: 'The operator of the relay has suspended the account. Only its owner receives this response.',
  },
  account_deleted: {
    status: 403,
    title: 'Account deleted',
    when: 'A device logs in to an account that was deleted at this relay. A login with the wallet reopens it. Only devices of its newest list receive this response.',
  },
  invitation_required: {
    status: 403,
    title: 'Invitation code required',
    when: 'The address has no account here, and this relay opens accounts only with an invitation code. The response is the same for a missing, wrong, used or expired code.',
  },
  registration_closed: {
    status: 403,
    title: 'Registration is closed',
    when: 'The address has no account here, and this relay opens accounts only for addresses that its operator has added.',
  },
  missing_entitlement: {
    status: 403,
    title: 'Missing entitlement',
    when: 'The call needs an entitlement that the credential does not have. The detail contains its name.',
  },
  not_a_member: {
    status: 403,
    title: 'Not a member of the group',
    when: '403: the caller is not a current member of the group. 422: the recipient of a group envelope is not a current member.',
  },
  group_token_not_allowed: {
    status: 403,
    title: 'Not for group tokens',
    when: 'The call, such as one with mine=1, accepts a session or an API key but no group token.',
  },
  wrong_password: {
    status: 403,
    title: 'Wrong password',
    when: 'The password is not that of the group, or the group does not exist.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    when: 'The resource does not exist, or the caller has no access to it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    when: 'The path does not support this method. The Allow header lists the supported ones.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    when: 'The headers or the body did not arrive in time.',
  },
  handle_taken: {
    status: 409,
    title: 'The handle is taken',
    when: 'Another address has this handle, or had it in the last year, or the handle is reserved.',
  },
  device_list_conflict: {
    status: 409,
    title: 'The device list does not follow the published one',
    when: 'Its sequence is not the next one, or its `previous` is not the hash of the published list.',
  },
  seal_key_conflict: {
    status: 409,
    title: 'The seal key conflicts with the published keys',
    when: 'Its sequence is not greater than the last one, another device has the same key, or it refers to a device list that is not published.',
  },
  link_conflict: {
    status: 409,
    title: 'The link cannot be changed',
    when: 'The computer is already waiting under another name, or already has another offer.',
  },
  owns_groups: {
    status: 409,
    title: 'The account still owns groups',
    when: 'An account cannot be deleted while it is the creator of a group with other members. Leave the group first.',
  },
  roster_conflict: {
    status: 409,
    title: 'The group already has another entry at this position',
    when: 'The chain has a newer or a different entry. Read the chain, verify it, and sign the entry again after its last one.',
  },
  quota_reached: {
    status: 409,
    title: 'The quota is reached',
    when: 'A quota of `GET /me` is used up: devices, API keys, groups, tokens or invitation codes of the account, or members of the group. The reason is the name of the quota; the detail contains its value.',
  },
  blob_conflict: {
    status: 409,
    title: 'The blob conflicts with another one',
    when: 'Another account is uploading a blob with this id, or the existing blob has a different size or different bytes.',
  },
  blob_incomplete: {
    status: 409,
    title: 'Parts of the blob are missing',
    when: 'The blob cannot be completed because the relay does not have all of its parts. `errors` lists the missing ones.',
  },
  too_large: {
    status: 413,
    title: 'Too large',
    when: 'The body, the batch, an envelope or a blob exceeds its limit.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    when: 'The media type is not application/json or, for a part of a blob, not application/octet-stream.',
  },
  range_unsatisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    when: 'The requested range begins after the end of the blob.',
  },
  misdirected_request: {
    status: 421,
    title: 'Misdirected request',
    when: 'The request has no Host header, or more than one.',
  },
  plaintext_rejected: {
    status: 422,
    title: 'Only sealed contents are accepted',
    when: 'A field appears to contain plaintext, the sealed fields do not have the form of sealed data, or the first part of a blob is text.',
  },
  unknown_device: {
    status: 422,
    title: 'Unknown device',
    when: 'The device or device key is not a current one of the address.',
  },
  roster_refused: {
    status: 422,
    title: 'The entry is not valid for the group',
    when: 'The entry breaks a rule of rosters, or the proof of admission is not valid. The reason is the name of the rule.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    when: 'Too many calls with the credential or from the network address, too many envelopes to one address, or too many device lists of an account in one day. Retry after the time in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    when: 'The request headers exceed the limit of the relay.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    when: 'A fault in the relay. The request may have had an effect; it can be repeated.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    when: 'The relay is overloaded, stopping, or cannot write. The request may have had an effect; it can be repeated.',
  },
  blob_quota: {
    status: 507,
    title: 'No room for the blob',
    when: 'The blobs of the account have reached `accountBlobBytes` of `GET /me`, too many of its uploads are incomplete, or the relay has no more room for blobs.',
  },
  inbox_full: {
    status: 507,
    title: 'The inbox is full',
    when: 'The queue of a device of the recipient is full, or the share of this sender or network in it. No queued envelope is dropped; send again later.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** An invalid field: its place, as in `envelopes.3.nonce`, and the reason. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** The body of a problem response. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  /** More specific than the code: one of src/relay/problems/reasons.ts. */
  reason: string;
  detail: string;
  errors?: FieldProblem[];
  requestId: string;
}
