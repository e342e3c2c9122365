/** Calls that end after the engine was closed. */
import { expect, test, vi } from 'vitest';
import { Online } from '../../../src/engine/online.ts';
import { callEngine, setUpWithPhrase } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

test('an account that is opened again during the close of its engine is not started', async () => {
  await using relay = await new TestRelay().start();
  await using engine = await new LocalEngine(relay.url).start();
  const { phrase } = await setUpWithPhrase(engine, 'ann');
  const start = vi.spyOn(Online.prototype, 'start');
  const forgotten = callEngine(engine, 'devices.forgetSecret', { passphrase: null, secret: phrase });
  const isRefused = expect(forgotten).rejects.toMatchObject({ code: 'closing' });
  await engine.close();
  await isRefused;
  expect(start).not.toHaveBeenCalled();
});
