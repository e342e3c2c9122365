/**
 * Loaded before a program (`--import`): scrypt costs its process and its threads nothing. Each guess takes a third of a
 * second and 128 MiB otherwise. Tests of the cost and of published vectors pay it (full-scrypt.ts).
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { FULL_COST } from './scrypt-cost.ts';

const { scrypt, scryptSync } = crypto;

/** The least N there is. Keys still depend on password, salt, r, p and length. */
function cheap(options: crypto.ScryptOptions): crypto.ScryptOptions {
  return process.env[FULL_COST] ? options : { ...options, N: 2 };
}

Object.assign(crypto, {
  scrypt(password: crypto.BinaryLike, salt: crypto.BinaryLike, length: number, ...more: unknown[]): void {
    const [options, done] = more.length > 1 ? more : [{}, more[0]];
    scrypt(password, salt, length, cheap(options as crypto.ScryptOptions), done as never);
  },
  scryptSync: ((password, salt, length, options = {}) =>
    scryptSync(password, salt, length, cheap(options))) as typeof scryptSync,
});
syncBuiltinESMExports();
