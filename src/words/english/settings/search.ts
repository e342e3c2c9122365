/** Texts of the search in Settings. */
export const search = {
  search: 'Search settings',
  searchCount: '{count, plural, one {# result} other {# results}}',
  searchFound: 'Results',
  searchNothing: 'No results for “{text}”',
} as const;
