/**
 * Repeats the same generated cases in each quick run, so that `npm test` fails only because of a change. The other
 * sets try new cases and print their seed.
 */
import fc from 'fast-check';
import { ring } from './runs.ts';

if (ring === 'quick') fc.configureGlobal({ seed: 7 });
