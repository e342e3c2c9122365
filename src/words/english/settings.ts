/** Settings, all of their pages. */
export const settings = {} as const;
