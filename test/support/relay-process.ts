/**
 * A relay in its own process, so that a test can kill it. Takes the data directory, the port,
 * who may open an account, the URL of a database that it shares with others, and the port of its metrics.
 */
import { Registration } from '../../src/protocol/schemas/accounts.ts';
import { startRelay } from '../../src/relay/index.ts';
import { ROOMY_RATES } from './rates.ts';

const [dataDirectory = '', port = '0', registration = 'open', database, metrics] = process.argv.slice(2);
const relay = await startRelay({
  dataDirectory,
  ...(database !== undefined && { database }),
  ...(metrics !== undefined && { metrics: { port: Number(metrics) } }),
  port: Number(port),
  registration: Registration.parse(registration),
  limits: { rates: ROOMY_RATES, queueEnvelopes: 1e7, queueBytes: 1e11, heldPolls: 64 },
});
console.log(relay.port);
