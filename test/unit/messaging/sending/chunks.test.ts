import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RelayRefusal } from '../../../../src/messaging/relay.ts';
import { type ChunkLimits, sendInChunks } from '../../../../src/messaging/sending/chunks.ts';

function envelope(index: number, size: number) {
  return {
    toAddress: `0x${'a'.repeat(40)}`,
    recipientDeviceKey: String(index).padStart(43, 'k'),
    ciphertext: 'x'.repeat(size),
    ephemeralPublicKey: 'e'.repeat(43),
    nonce: 'n'.repeat(16),
    asRequest: false,
  };
}

type Copy = ReturnType<typeof envelope>;

/** A relay whose own limits may be lower than the announced ones. */
async function send(copies: Copy[], reported: ChunkLimits, own: ChunkLimits) {
  const batches: Copy[][] = [];
  let calls = 0;
  await sendInChunks(copies, reported, async (chunk) => {
    calls++;
    const isTooLarge = chunk.length > own.count || JSON.stringify({ envelopes: chunk }).length > own.bytes;
    if (isTooLarge) throw new RelayRefusal(413, 'too_large', 'too large');
    batches.push(chunk);
  });
  return { batches, calls };
}

const sizes = fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 40 });

test('sends every copy once, in order, in calls below both limits', async () => {
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 4_000, max: 9_000 }),
      async (sizes, count, bytes) => {
        const copies = sizes.map((size, index) => envelope(index, size));
        const { batches, calls } = await send(copies, { count, bytes }, { count, bytes });
        expect(batches.flat()).toEqual(copies);
        expect(calls).toBe(batches.length);
      },
    ),
  );
});

test('halves calls for a relay that accepts less than announced, each copy once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 4_000, max: 9_000 }),
      async (sizes, count, bytes) => {
        const copies = sizes.map((size, index) => envelope(index, size));
        const { batches, calls } = await send(copies, { count: 5_000, bytes: 4_000_000 }, { count, bytes });
        expect(batches.flat()).toEqual(copies);
        // The limit is found once, by halving, and not again in every call.
        expect(calls - batches.length).toBeLessThanOrEqual(Math.ceil(Math.log2(copies.length + 1)));
      },
    ),
  );
});

test('reports a copy that is too large alone, and every other failure', async () => {
  await expect(
    send([envelope(0, 10), envelope(1, 5_000)], { count: 9, bytes: 9_000 }, { count: 9, bytes: 2_000 }),
  ).rejects.toMatchObject({ code: 'too_large' });
  const refuse = async () => Promise.reject(new RelayRefusal(403, 'forbidden', 'no'));
  await expect(sendInChunks([envelope(0, 1)], { count: 1, bytes: 1 }, refuse)).rejects.toThrow('no');
});
