/**
 * A relay in a process of its own, so that a test can kill it. Takes the data directory and the port.
 */
import { startRelay } from '../../src/relay/index.ts';
import { ROOMY_RATES } from './rates.ts';

const [dataDirectory = '', port = '0'] = process.argv.slice(2);
const relay = await startRelay({
  dataDirectory,
  port: Number(port),
  limits: { rates: ROOMY_RATES, queueEnvelopes: 1e7, queueBytes: 1e11, heldPolls: 64 },
});
console.log(relay.port);
