/** Uploads and downloads that are cut at each tenth: the file arrives byte by byte, the message once, and nothing else stays. */
import { test } from 'vitest';
import { cutAtTenths, endFileThreads, LocalEngineWithEnd, TENTHS } from '../../support/cut-transfers.ts';
import { KillableEngine } from '../../support/killable-engine.ts';

test('a file whose network is cut at each tenth arrives', () =>
  cutAtTenths({ make: (relay) => new LocalEngineWithEnd(relay), end: async () => undefined }, TENTHS));

test('a file whose file thread ends at each tenth arrives', () =>
  cutAtTenths({ make: (relay) => new LocalEngineWithEnd(relay), end: endFileThreads }, TENTHS));

// In two halves: each kill starts an engine again, which takes long on a busy machine.
test.each([
  ['first', TENTHS.slice(0, 5)],
  ['second', TENTHS.slice(5)],
])('a file whose process is killed at each tenth of the %s half arrives', (_, tenths) =>
  cutAtTenths(
    {
      make: (relay) => new KillableEngine(relay),
      end: (engine) => engine.kill(),
      restart: (engine) => engine.start(),
    },
    tenths,
  ),
);
