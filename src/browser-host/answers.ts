/** Plain text answers of this host to programs, other pages, and a person who opens one of its addresses. */
export const ANSWERS = {
  not_its_page: 'This address serves Waxwing to its own page only.',
  nothing_here: 'There is nothing here.',
  not_json: 'Send application/json.',
  too_long: 'Send at most 1 MiB at a time.',
  link_used: 'This link was used already, or is too old.',
} as const;
