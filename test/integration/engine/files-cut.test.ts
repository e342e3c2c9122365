/** One cut of an upload and of a download. files-cut.slow.test.ts has all. */
import { test } from 'vitest';
import { cutAtTenths, endFileThreads, LocalEngineWithEnd } from '../../support/cut-transfers.ts';

test('a file whose file thread ends in transit arrives byte by byte, and once', () =>
  cutAtTenths({ make: (relay) => new LocalEngineWithEnd(relay), end: endFileThreads }, [4]));
