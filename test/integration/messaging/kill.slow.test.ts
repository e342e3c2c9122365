import { test } from 'vitest';
import { app, killAtEach, PLACES, program } from '../../support/kill-between-steps.ts';

test.each([
  ['the app', app],
  ['a program on the library', program],
])('%s is killed between any two steps: no message is lost or shown twice', (_, newVictim) =>
  killAtEach(PLACES, newVictim),
);
