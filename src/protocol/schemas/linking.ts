/** Links: the request of a new computer, and the offer to it (docs/protocol.md, 'Linking a device'). */
import { z } from 'zod';
import { ListReference } from '../device-list.ts';
import { LinkOffer, NewDevice } from '../linking/offer.ts';
import { Bytes, WireTime } from '../primitives.ts';

export const LinkingParams = z.strictObject({
  deviceId: Bytes(16).describe('Id of the new device: 16 bytes in base64url. Its code contains the same id.'),
});

export const NewDeviceRequest = NewDevice.meta({ id: 'NewDeviceRequest' });

export const WaitingDevice = z
  .object({ ...NewDevice.shape, expiresAt: WireTime.describe('The end of its waiting time.') })
  .meta({ id: 'WaitingDevice', description: 'A computer that is waiting to be linked.' });
export type WaitingDevice = z.infer<typeof WaitingDevice>;

export const LinkOfferRequest = LinkOffer.meta({ id: 'LinkOfferRequest' });

export const PublishedLinkOffer = z.object({ ...LinkOffer.shape, list: z.object(ListReference.shape) }).meta({
  id: 'PublishedLinkOffer',
  description: 'The account that the new computer may join, and the device list that contains it.',
});
export type PublishedLinkOffer = z.infer<typeof PublishedLinkOffer>;
