/**
 * A relay in a process of its own, so that a test can kill it. Takes the data directory and the port.
 */
import { startRelay } from '../../src/relay/index.ts';

const [dataDirectory = '', port = '0'] = process.argv.slice(2);
const roomy = { burst: 1e6, perSecond: 1e6 };
const relay = await startRelay({
  dataDirectory,
  port: Number(port),
  limits: { rates: { credential: roomy, address: roomy, login: roomy } },
});
console.log(relay.port);
