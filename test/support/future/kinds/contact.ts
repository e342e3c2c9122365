/** `contact`: a person whose address the sender shares. It proves nothing else. */
import { z } from 'zod';
import { Name, WireAddress } from '../../../../src/protocol/primitives.ts';
import { RelayOrigin } from '../../../../src/protocol/relay-origin.ts';

export const ContactContent = z.looseObject({
  kind: z.literal('contact'),
  address: WireAddress,
  name: Name.optional(),
  /** Address of their relay. An app calls it only after the person has agreed to the host. */
  relay: RelayOrigin.optional(),
});
export type ContactContent = z.infer<typeof ContactContent>;
