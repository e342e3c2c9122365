/** Links: the request of a new computer, and the offer to it (docs/protocol.md, 'Linking a device'). */
import { z } from 'zod';
import { ListReference } from '../device-list.ts';
import { LinkOffer, NewDevice } from '../linking/offer.ts';
import { Bytes, WireTime } from '../primitives.ts';

export const LinkingParams = z.strictObject({
  deviceId: Bytes(16).describe('Id of the new device: 16 bytes in base64url. Its code says the same.'),
});

export const NewDeviceRequest = NewDevice.meta({ id: 'NewDeviceRequest' });

export const WaitingDevice = z
  .object({ ...NewDevice.shape, expiresAt: WireTime.describe('Until when it waits.') })
  .meta({ id: 'WaitingDevice', description: 'A computer that waits to be linked.' });
export type WaitingDevice = z.infer<typeof WaitingDevice>;

export const LinkOfferRequest = LinkOffer.meta({ id: 'LinkOfferRequest' });

export const PublishedLinkOffer = z
  .object({ ...LinkOffer.shape, list: z.object(ListReference.shape) })
  .meta({ id: 'PublishedLinkOffer', description: 'As whom the new computer may join, and by which list.' });
export type PublishedLinkOffer = z.infer<typeof PublishedLinkOffer>;
