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
    when: 'A field is missing, unknown, named twice or has a wrong form; the body is not JSON in UTF-8, or nested deeper than 16 levels.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid credential',
    when: 'The credential is missing, wrong, revoked or expired, or a login could not be verified. Always the same answer.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    when: 'The credential is valid, but this is not for it.',
  },
  account_suspended: {
    status: 403,
    title: 'Account suspended',
    when: 'The operator of the relay has suspended the account. Told only to those who proved that it is theirs.',
  },
  account_deleted: {
    status: 403,
    title: 'Account deleted',
    when: 'The account was deleted at this relay, and a device logs in. A login with the wallet opens it again. Told only to devices of its newest list.',
  },
  invitation_required: {
    status: 403,
    title: 'An invitation code is needed',
    when: 'The address has no account here, and this relay opens one only with an invitation code. The same for none, a wrong one, one that was spent and one that has expired.',
  },
  registration_closed: {
    status: 403,
    title: 'Registration is closed',
    when: 'The address has no account here, and this relay opens one only for addresses that its operator has named.',
  },
  missing_entitlement: {
    status: 403,
    title: 'The credential lacks an entitlement',
    when: 'The call needs an entitlement that the credential does not hold. The detail names it.',
  },
  not_a_member: {
    status: 403,
    title: 'Not a member of the group',
    when: 'The caller is not a current member. With 422: the recipient of a group envelope is not one.',
  },
  group_token_not_allowed: {
    status: 403,
    title: 'Not for group tokens',
    when: 'A group token was used where only a session or an API key may be, such as mine=1.',
  },
  wrong_password: {
    status: 403,
    title: 'Wrong password',
    when: 'The password does not open the group, or there is no such group to join.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    when: 'There is no such resource, or the caller may not know of it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    when: 'The path exists, but not with this method. The Allow header names those that it has.',
  },
  request_timeout: {
    status: 408,
    title: 'The request came too slowly',
    when: 'Headers or body did not arrive in time.',
  },
  handle_taken: {
    status: 409,
    title: 'The handle is taken',
    when: 'Another address has this handle, or had it in the last year; or nobody may claim it.',
  },
  device_list_conflict: {
    status: 409,
    title: 'The device list does not follow the published one',
    when: 'Its sequence is not the next, or its previous is not the hash of the published list.',
  },
  seal_key_conflict: {
    status: 409,
    title: 'The seal key cannot take its place',
    when: 'Its sequence does not rise, another device has the key, or it names a device list that is not published.',
  },
  link_conflict: {
    status: 409,
    title: 'The link cannot be changed',
    when: 'The computer waits under another name, or has another offer.',
  },
  owns_groups: {
    status: 409,
    title: 'The account still owns groups',
    when: 'The account is to be deleted, and is the creator of a group that has other members. Leave the group first.',
  },
  roster_conflict: {
    status: 409,
    title: 'The group has another entry in this place',
    when: 'The chain has gone on, or goes another way. Read it, check it, and sign the entry again for its end.',
  },
  quota_reached: {
    status: 409,
    title: 'The quota is reached',
    when: 'There are as many as `quotas` of `GET /me` allow: devices, API keys, groups, tokens or invitation codes of the account, or members of the group. The reason is the name of that quota; the detail says how many.',
  },
  blob_conflict: {
    status: 409,
    title: 'The blob is another one',
    when: 'There is a blob with this id that another account uploads, or that has another size or other bytes.',
  },
  blob_incomplete: {
    status: 409,
    title: 'Parts of the blob are missing',
    when: 'The blob is to be finished, and the relay does not have all of its parts. `errors` names those that are missing.',
  },
  too_large: {
    status: 413,
    title: 'Too large',
    when: 'The body, the batch, one envelope or a blob is above its limit.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    when: 'The body is not application/json, or, of a part of a blob, not application/octet-stream.',
  },
  range_unsatisfiable: {
    status: 416,
    title: 'There is no such range',
    when: 'The range that is asked for begins after the end of the blob.',
  },
  misdirected_request: {
    status: 421,
    title: 'Misdirected request',
    when: 'The request carries no Host header, or more than one.',
  },
  plaintext_rejected: {
    status: 422,
    title: 'Only what is sealed is accepted',
    when: 'A field smells of plaintext, or the sealed fields do not have the form that sealing gives them; or the first part of a blob is text.',
  },
  unknown_device: {
    status: 422,
    title: 'Unknown device',
    when: 'The device, or the device key, is not a current one of the address.',
  },
  roster_refused: {
    status: 422,
    title: 'The entry does not fit the group',
    when: 'The entry does not fold, or the proof does not admit. The reason says which rule of rosters it breaks.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    when: 'The credential or the network address calls too often, too much is sent to one address, or an account publishes too many device lists in a day. Retry-After says when to come back.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    when: 'The request headers are larger than the relay reads.',
  },
  internal: {
    status: 500,
    title: 'The relay failed',
    when: 'A fault in the relay. Whether the request had an effect is unknown; it may be sent again.',
  },
  unavailable: {
    status: 503,
    title: 'Not available at the moment',
    when: 'The relay is overloaded, stopping, or cannot write. Whether the request had an effect is unknown; it may be sent again.',
  },
  blob_quota: {
    status: 507,
    title: 'There is no room for the blob',
    when: 'The blobs of the account take as much room as `accountBlobBytes` of `GET /me` allows, too many of its uploads are not finished, or the relay has no more room for blobs.',
  },
  inbox_full: {
    status: 507,
    title: 'The inbox is full',
    when: 'Too much waits for a device of the recipient, in all or from this sender or network. Nothing that waits is dropped; send again later.',
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
