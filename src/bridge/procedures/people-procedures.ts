/** Procedures of people: finding them, and the records about them. */

import { z } from 'zod';
import { longest } from '../longest.ts';
import { ContactDetails } from '../shapes/contact.ts';
import { Conversation } from '../shapes/conversation.ts';
import { Person } from '../shapes/person.ts';
import { Address } from '../shapes/values.ts';

export const peopleProcedures = {
  /** Finds one person by `@handle`, `handle` or address; the error has the reason for refusing the query. */
  'people.resolve': { input: z.strictObject({ query: z.string().max(longest.person) }), output: Person },
  /**
   * One page of the public directory: people whose handle contains the query, or whose display name matches it;
   * without a query, all.
   */
  'people.search': {
    input: z.strictObject({
      query: z.string().max(longest.name),
      /** Only handles that the relay's operator confirmed. */
      verifiedOnly: z.boolean(),
      cursor: z.string().max(512).nullable(),
    }),
    output: z.strictObject({ people: z.array(Person), nextCursor: z.string().nullable() }),
  },
  /** Known people whose handle or name contains the text, without asking the relay. */
  'people.known': {
    input: z.strictObject({ query: z.string().max(longest.name) }),
    output: z.array(Person).max(30),
  },
  /** Records whether the person has compared this address with the one that its owner showed. */
  'people.setVerified': {
    input: z.strictObject({ address: Address, verified: z.boolean() }),
    output: Conversation,
  },
  /** The person's private name for someone, on all own devices; null or no visible character removes it. */
  'people.setNickname': {
    input: z.strictObject({ address: Address, nickname: z.string().max(longest.name).nullable() }),
    output: Person,
  },
  'people.details': { input: z.strictObject({ address: Address }), output: ContactDetails },
  /** Chooses one of two contradicting device lists by its hash. Messages are sealed for it again. */
  'people.chooseList': {
    input: z.strictObject({ address: Address, hash: z.string().length(43) }),
    output: ContactDetails,
  },
} as const;
