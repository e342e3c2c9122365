/**
 * Passphrases that cost nothing, for tests of what is done with them: each guess takes a third of a second otherwise.
 * What it costs, test/unit/base/secret-box.test.ts looks at. A test file says:
 *
 *   vi.mock('node:crypto', async (original) => (await import('…/cheap-scrypt.ts')).cheapScrypt(await original()));
 */
import type * as Crypto from 'node:crypto';

/** Node's cryptography, whose scrypt takes the least N there is. Keys still depend on password, salt, r, p and length. */
export function cheapScrypt(crypto: typeof Crypto): typeof Crypto {
  const cheap = (options: Crypto.ScryptOptions) => ({ ...options, N: 2 });
  return {
    ...crypto,
    scrypt: ((password, salt, length, options, done) =>
      crypto.scrypt(
        password,
        salt,
        length,
        cheap(options as Crypto.ScryptOptions),
        done as never,
      )) as typeof Crypto.scrypt,
    scryptSync: (password, salt, length, options = {}) =>
      crypto.scryptSync(password, salt, length, cheap(options)),
  };
}
