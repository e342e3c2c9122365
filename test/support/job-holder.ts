/**
 * A relay, as far as its jobs go, that never ends the current one. Its argument is the URL of a database; it reports when a
 * job runs.
 */

import { PostgresJobs } from '../../src/relay/store/postgres/jobs.ts';
import { Primary } from '../../src/relay/store/postgres/primary.ts';

const [url = ''] = process.argv.slice(2);
const primary = new Primary({ url, pool: { max: 1 }, onWarning: () => undefined });
await primary.find();
await new PostgresJobs(primary).tryRun(() => {
  console.log('held');
  return new Promise(() => undefined);
});
