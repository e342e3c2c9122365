/**
 * Zod makes code of schemas where it may, and tries whether it may. The policy of the pages lets nobody, and a try is a
 * violation. No page of the app checks schemas: only the fake bridge does.
 */
import { config } from 'zod';

config({ jitless: true });
