/** Sentences for failures, by code. */
export const failure = {} as const;
