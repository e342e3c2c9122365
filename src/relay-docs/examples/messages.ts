/**
 * Examples of the directory, of sending, and of receiving.
 */
import { envelopeId } from '../../protocol/envelope-id.ts';
import type { Envelope } from '../../protocol/schemas/envelopes.ts';
import type { Examples, ExampleWorld } from './example.ts';
import { EXAMPLE_TIME } from './people.ts';

type Names =
  | 'getHandle'
  | 'searchHandles'
  | 'getKeys'
  | 'getKeyHistory'
  | 'getKeyHistories'
  | 'getPqKeys'
  | 'sendEnvelopes'
  | 'getInbox'
  | 'acknowledge';

export function messageExamples({ ann, bob, sealed }: ExampleWorld): Pick<Examples, Names> {
  const envelope = { toAddress: bob.address, ...sealed.wire, asRequest: false };
  const forOneDevice = { ...envelope, recipientDeviceKey: bob.sealKeyStatement.key };
  const id = idOf(ann.address, envelope);
  const history = { address: bob.address, lists: [bob.deviceList], more: false };
  return {
    getHandle: [{ title: 'A handle', status: 200, params: { handle: 'bob' }, response: bob.profile }],
    searchHandles: [
      {
        title: 'By the first letters',
        status: 200,
        query: { q: 'bo', limit: 10 },
        response: { handles: [bob.profile], nextCursor: null },
      },
    ],
    getKeys: [{ title: 'An address', status: 200, params: { address: bob.address }, response: bob.keys }],
    getKeyHistory: [
      {
        title: 'From the first on',
        status: 200,
        params: { address: bob.address },
        query: { after: 0 },
        response: history,
      },
    ],
    getKeyHistories: [
      {
        title: 'Of two addresses, one of which has published none since',
        status: 200,
        request: {
          wants: [
            { address: bob.address, after: 0, upTo: 1 },
            { address: ann.address, after: 1, upTo: 2 },
          ],
        },
        response: { histories: [history, { address: ann.address, lists: [], more: false }] },
      },
    ],
    getPqKeys: [
      {
        title: 'Of one device',
        status: 200,
        request: { digests: [ann.sealKeyStatement.pq ?? ''] },
        response: { keys: { [ann.sealKeyStatement.pq ?? '']: ann.pqKey } },
      },
    ],
    sendEnvelopes: [
      {
        title: 'One envelope',
        status: 201,
        request: envelope,
        response: { id, acceptedAt: EXAMPLE_TIME },
      },
      {
        title: 'A batch, one of which is for a device that is gone',
        status: 200,
        request: {
          envelopes: [forOneDevice, { ...envelope, recipientDeviceKey: ann.deviceList.devices[0]?.key }],
        },
        response: {
          results: [
            { status: 'accepted', id: idOf(ann.address, forOneDevice) },
            {
              status: 'rejected',
              error: {
                code: 'unknown_device',
                detail: `recipientDeviceKey is not a current key of ${bob.address}. Read its keys again and seal again.`,
              },
            },
          ],
        },
      },
    ],
    getInbox: [
      {
        title: 'Wait up to 25 seconds',
        status: 200,
        query: { device: bob.deviceId, wait: 25 },
        response: {
          device: bob.deviceId,
          envelopes: [{ id, from: ann.address, ...envelope, via: 'api_key', receivedAt: EXAMPLE_TIME }],
          more: false,
        },
      },
    ],
    acknowledge: [
      {
        title: 'One envelope',
        status: 200,
        request: { device: bob.deviceId, ids: [id] },
        response: { acknowledged: 1 },
      },
    ],
  };
}

/** The id that the relay gives an envelope. */
export function idOf(from: string, envelope: Envelope): string {
  return envelopeId(from, envelope);
}
