/**
 * Identities of scripts under the key store of a Linux desktop: a real Secret Service, unlocked, locked and gone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { noSecretService, SecretService } from '../../support/secret-service.ts';
import { waxwingProcess } from '../../support/waxwing-command.ts';

// `noSecretService` names the missing program.
test.skipIf(noSecretService !== null)(
  'C9: the key store seals an identity, and must be unlocked to use it',
  async () => {
    await using relay = await new TestRelay().start();
    await using service = await new SecretService().start('of the login');
    using folder = temporaryFolder();
    const file = join(folder.path, 'bot.json');
    const surroundings = () => ({
      env: {
        WAXWING_RELAY: relay.url,
        WAXWING_IDENTITY: file,
        WAXWING_UNPROTECTED_KEY: '',
        ...service.environment,
      },
    });
    expect(await waxwingProcess(['init', '--handle', 'key_store_bot'], surroundings())).toMatchObject({
      code: 0,
      stderr: '',
    });
    const kept = readFileSync(file, 'utf8');
    expect(kept).not.toMatch(/sk_live_|privateKey/);

    await service.stop();
    await service.start('of the login');
    expect((await waxwingProcess(['me'], surroundings())).stdout).toContain('@key_store_bot');

    await service.stop();
    const gone = await waxwingProcess(['me'], surroundings());
    await service.start(null);
    const locked = await waxwingProcess(['me'], surroundings());
    for (const { code, stdout, stderr } of [gone, locked]) {
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(
        /^The key store of this computer does not open the identity in .*\. Unlock the key store/,
      );
    }
    expect(readFileSync(file, 'utf8')).toBe(kept);

    const other = join(folder.path, 'other.json');
    const refused = await waxwingProcess(['init', '--file', other, '--handle', 'never_made'], surroundings());
    expect(refused.stderr).toMatch(
      /^The key store of this computer is locked\. Unlock it, or set WAXWING_PASSPHRASE/,
    );
    expect([refused.code, existsSync(other)]).toEqual([3, false]);
  },
);
