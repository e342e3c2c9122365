/** Shared by the quick and the slow tests of coverage. */
import fc from 'fast-check';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';

export const DEVICE = encodeBase64Url(new Uint8Array(16).fill(1));

export const MOST = 30;

export const numbers = Array.from({ length: MOST + 2 }, (_, index) => index + 1);

export const seq = fc.integer({ min: 1, max: MOST });
