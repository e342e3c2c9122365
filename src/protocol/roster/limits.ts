/** Size limits of a roster. All who fold must use the same numbers, or their results differ. */
const DAY = 24 * 3_600_000;

/** Bytes of one body. */
export const MAX_BODY_BYTES = 16_384;
export const MAX_MEMBERS = 5_000;
/** Limit of entries of one chain. The group ends with it. */
export const MAX_ENTRIES = 50_000;
/** Number of entries after which a join needs a ticket. */
export const MAX_ENTRIES_FOR_EVERYBODY = 40_000;
/** Joins of one address within {@link JOIN_WINDOW}. */
export const MAX_JOINS = 5;
/** In milliseconds of `issued`. */
export const JOIN_WINDOW = DAY;
/** From `issued` to `expires`, in milliseconds. */
export const MAX_TICKET_LIFE = 30 * DAY;
export const MAX_ADMINS = 8;
export const MAX_BOTS = 32;
export const MAX_LINKS = 8;
/** Limit of addresses with withdrawn tickets that a state stores individually. */
export const MAX_UNINVITED = 5_000;
/** In seconds. */
export const TIMER = { least: 30, most: 31_536_000 } as const;
