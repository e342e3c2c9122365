/** A relay for files of any length, in a folder that is removed with it. Argument: the longest blob in bytes. */
import { ROOMY_RATES } from '../../test/support/rates.ts';
import { TestRelay } from '../../test/support/relay.ts';

const [most = '0'] = process.argv.slice(2);
const limits = { rates: ROOMY_RATES, blobBytes: Number(most), accountBlobBytes: 2 * Number(most) };
const relay = await new TestRelay({ limits }).start();
process.once('SIGTERM', () => void relay[Symbol.asyncDispose]());
console.log(relay.running.port);
