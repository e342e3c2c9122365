/** Valid values of settings for pages. Separate from the schemas, which are not loaded in pages (./names.ts). */

/** In percent of the default size. */
export const textSizes = [80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200] as const;

/** Widths of the chat list, in pixels. */
export const listWidths = { rail: 72, least: 260, initial: 320, most: 420 } as const;

/** Valid lifetimes of disappearing messages, in seconds; the same as on the wire. */
export const timerBounds = { least: 30, most: 31_536_000 } as const;

/** Days for which files can be kept. */
export const keptDays = [30, 90, 365] as const;
