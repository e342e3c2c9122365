/**
 * Times and counts of the protocol, in a file that imports nothing: the thread that writes a relay's rows starts with
 * these and without the schemas, which take longer to load than all it does.
 */

/** How far a clock may be ahead before what it dated counts as the future, in milliseconds. */
export const CLOCK_SKEW = 5 * 60_000;

/** The life of a session, in milliseconds. A device renews it before. */
export const SESSION_LIFE = 15 * 60_000;
/** The life of a login challenge, in milliseconds. */
export const CHALLENGE_LIFE = 5 * 60_000;
/** How far the time in a session renewal may be from the relay's, in milliseconds. */
export const RENEWAL_WINDOW = 60_000;

/** How long a relay takes copies for the seal key before, from when a device made its next one, in milliseconds. */
export const PREVIOUS_KEY_WINDOW = 15 * 60_000;
/** How long the handle of an account that ended is kept from all others, in milliseconds. */
export const HANDLE_KEPT = 365 * 24 * 3_600_000;

/** Of API keys and of group tokens that work no longer, so many of an account are kept to be shown: the newest. */
export const KEPT_ENDED_CREDENTIALS = 20;

/**
 * Changes of one account that a relay writes down in a day: handles, groups, members, keys and tokens. Beyond, only those
 * are taken that end something.
 */
export const CHANGES_A_DAY = 2_000;
/** Bytes of entries of rosters that a relay takes of one account in a day, but for leaving and removing. */
export const ROSTER_BYTES_A_DAY = 4 * 1024 * 1024;
/** New device lists that a relay takes of one account in a day. */
export const LISTS_A_DAY = 20;
/** Device lists of one account that were issued more than a day ago, and that a relay takes in a day. */
export const RETURNED_LISTS_A_DAY = 200;
