/**
 * English sentences about message contents, for programs and for the wire. The app has its own, in each language
 * (src/words).
 */

/** One line about a message with its own view, for the library and the command line. */
export const CONTENT_SUMMARIES = {
  /** `group` is its name, or its id. */
  invite: ({ group }: { group: string }) => `Invitation to ${group}`,
} as const;

/** Fallback text that is sent inside a message. Apps that do not know its kind show it. */
export const CONTENT_FALLBACKS = {
  invite: ({ group }: { group: string }) =>
    `You are invited to the group ${group}. Update Waxwing to join it.`,
} as const;
