/**
 * What settings may be, as far as a page offers it: apart from the schemas, which stay out of pages (./names.ts).
 */

/** In percent of the usual size. */
export const textSizes = [80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200] as const;

/** How wide the list of chats can be, in pixels. */
export const listWidths = { rail: 72, least: 260, most: 420 } as const;

/** After how long messages may disappear, in seconds; the same as on the wire. */
export const timerBounds = { least: 30, most: 31_536_000 } as const;
