/**
 * A relay that prints the longest delay of its answering thread, in milliseconds, for each line of input, since the line before.
 * Arguments: the data directory, and the public URL if there is a proxy.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { startRelay } from '../../src/relay/index.ts';
import { ROOMY_RATES } from '../../test/support/rates.ts';

const [dataDirectory = '', publicUrl] = process.argv.slice(2);
const relay = await startRelay({
  dataDirectory,
  ...(publicUrl !== undefined && { publicUrl }),
  limits: { rates: ROOMY_RATES, queueEnvelopes: 1e7, queueBytes: 1e11 },
});
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
createInterface(process.stdin).on('line', () => {
  console.log(delay.max / 1e6);
  delay.reset();
});
console.log(relay.port);
