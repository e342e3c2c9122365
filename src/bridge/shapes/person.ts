/** A person, as this device knows them. */

import { z } from 'zod';
import { Address, Id } from './values.ts';

export const Person = z.strictObject({
  address: Address,
  handle: z.string().nullable(),
  displayName: z.string().nullable(),
  /** The person's private name for them, shown in place of the display name. */
  nickname: z.string().nullable(),
  /** True if the relay's operator confirms the handle. Unrelated to keys. */
  handleVerified: z.boolean(),
  /** Id of the picture that they chose, for `pictures.open`; null without one. */
  picture: Id.nullable(),
  /** True in a group if another member has the same name: then they are shown with the handle. Absent otherwise. */
  hasNamesake: z.boolean().optional(),
});
export type Person = z.infer<typeof Person>;
