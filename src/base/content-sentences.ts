/**
 * English sentences about message contents, for programs and for the wire. The app has its own, in each language
 * (src/words).
 */

/** One line about a message with its own view, for the library and the command line. */
export const CONTENT_SUMMARIES = {
  /** `names` of the files, safe on all systems. */
  attachment: ({ names }: { names: readonly string[] }) => names.join(', '),
  /** `group` is its name, or its id. */
  invite: ({ group }: { group: string }) => `Invitation to ${group}`,
} as const;

/** Fallback text that is sent inside a message. Apps that do not know its kind show it. */
export const CONTENT_FALLBACKS = {
  attachment: ({ count }: { count: number }) =>
    `${count === 1 ? 'A file' : `${count} files`}. Update Waxwing to open ${count === 1 ? 'it' : 'them'}.`,
  invite: ({ group }: { group: string }) =>
    `You are invited to the group ${group}. Update Waxwing to join it.`,
} as const;
