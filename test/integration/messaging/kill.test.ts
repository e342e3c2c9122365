/**
 * One kill point of each direction. kill.slow.test.ts has all of them, also of programs on the library.
 */
import { test } from 'vitest';
import { app, killAtEach } from '../../support/kill-between-steps.ts';

test('an app killed after a post and after a delivery loses nothing and shows nothing twice', () =>
  killAtEach(
    [
      { path: '/api/v1/envelopes', stage: 'after' },
      { path: '/api/v1/inbox/ack', stage: 'before' },
    ],
    app,
  ));
