/** The channel of a payload: between two people, or in a group. */
export type Channel = 'direct' | 'group';
