/**
 * What this host answers in plain text, to programs, to other pages, and to a person who opens one of its addresses by hand.
 */
export const ANSWERS = {
  not_its_page: 'This address serves Waxwing to its own page only.',
  nothing_here: 'There is nothing here.',
  not_json: 'Send application/json.',
  link_used: 'This link was used already, or is too old.',
} as const;
