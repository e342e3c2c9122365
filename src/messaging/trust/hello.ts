/**
 * The lists that a `hello` brings: proof of lists that a relay may hide. They prove themselves, whoever hands them over.
 */
import { z } from 'zod';
import { PublishedDeviceList } from '../../protocol/schemas/directory.ts';

/** Lists in one hello. */
export const MOST_LISTS = 8;
/** Bytes of them as JSON. */
export const MOST_LIST_BYTES = 32 * 1024;

/** As far as it is a hello with lists. */
export const HelloEvidence = z.looseObject({
  kind: z.literal('hello'),
  lists: z
    .array(PublishedDeviceList)
    .min(1)
    .max(MOST_LISTS)
    .refine((lists) => JSON.stringify(lists).length <= MOST_LIST_BYTES),
});
