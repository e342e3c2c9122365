/**
 * How large a roster may grow. All who fold must agree on these numbers, or they fold to different groups.
 */
const DAY = 24 * 3_600_000;

/** Bytes of one body. */
export const MOST_BODY_BYTES = 16_384;
export const MOST_MEMBERS = 5_000;
/** Entries of one chain. After that the group is at its end. */
export const MOST_ENTRIES = 50_000;
/** A join after so many entries needs a ticket. */
export const MOST_ENTRIES_FOR_EVERYBODY = 40_000;
/** Joins of one address within {@link JOIN_WINDOW}. */
export const MOST_JOINS = 5;
/** In milliseconds of `issued`. */
export const JOIN_WINDOW = DAY;
/** From `issued` to `expires`, in milliseconds. */
export const MOST_TICKET_LIFE = 30 * DAY;
export const MOST_ADMINS = 8;
export const MOST_BOTS = 32;
export const MOST_LINKS = 8;
/** Addresses whose tickets were withdrawn that a state keeps one by one. */
export const MOST_UNINVITED = 5_000;
/** In seconds. */
export const TIMER = { least: 30, most: 31_536_000 } as const;
