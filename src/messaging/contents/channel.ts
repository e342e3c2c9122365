/** In which payloads a content stands: between two people, or in a group. */
export type Channel = 'direct' | 'group';
