/** Shared by the quick and the slow tests of files-automatic. */
import { randomBytes } from 'node:crypto';

export const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(70_000)]);

export const PICTURE = { bytes: PNG, name: 'a.png', mediaType: 'image/png' };
