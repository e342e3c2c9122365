/**
 * Times and counts of the protocol, in a file without imports. The relay's database thread loads it without the
 * schemas, which take longer to load than all else in that thread.
 */

/** The tolerance for clocks that are ahead, in milliseconds. Later times count as the future. */
export const CLOCK_SKEW = 5 * 60_000;

/** The lifetime of a session, in milliseconds. A device renews it earlier. */
export const SESSION_LIFE = 15 * 60_000;
/** The lifetime of a login challenge, in milliseconds. */
export const CHALLENGE_LIFE = 5 * 60_000;
/** The greatest difference between the time in a session renewal and the relay's, in milliseconds. */
export const RENEWAL_WINDOW = 60_000;

/**
 * The time in which a relay still accepts copies for the previous seal key after its replacement, in milliseconds.
 */
export const PREVIOUS_KEY_WINDOW = 15 * 60_000;
/** The time in which a handle stays reserved for its last owner, in milliseconds. */
export const HANDLE_KEPT = 365 * 24 * 3_600_000;
/** The number of previous handles that a relay reserves for one account: those that it had for most days, then the newest. */
export const KEPT_HANDLES = 2;

/** The number of ended API keys and group tokens that an account still shows: the newest. */
export const KEPT_ENDED_CREDENTIALS = 20;

/**
 * Changes of one account that a relay stores in a day: handles, groups, members, keys and tokens. Beyond, only
 * changes that end something are accepted.
 */
export const CHANGES_A_DAY = 2_000;
/** Bytes of roster entries that a relay accepts from one account in a day, except for leaving and removing. */
export const ROSTER_BYTES_A_DAY = 4 * 1024 * 1024;
/** New device lists that a relay accepts from one account in a day. */
export const LISTS_A_DAY = 20;
/** Device lists of one account, issued more than a day ago, that a relay accepts in a day. */
export const RETURNED_LISTS_A_DAY = 200;
