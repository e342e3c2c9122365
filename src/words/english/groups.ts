/** Groups: the directory, a new group, its panel, members, invitations and bot tokens. */
export const groups = {} as const;
