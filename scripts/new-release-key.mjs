/**
 * Makes the key that releases are signed with: `node scripts/new-release-key.mjs <file for the private half>`.
 * The public half, which it prints, goes to src/main/updates/release-key.ts. The private half stays out of the
 * repository: docs/releasing.md.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Where should the private key go? node scripts/new-release-key.mjs <file>\n');
  process.exit(1);
}
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
try {
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
} catch (error) {
  process.stderr.write(`The key could not be written, and none was replaced: ${error.message}\n`);
  process.exit(1);
}
process.stdout.write(`${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}\n`);
