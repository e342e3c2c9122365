/** Makes the relays of a test file store their data in PostgreSQL, each in its own database. */
import { inject } from 'vitest';
import { IN_MEMORY, SERVER, TEMPLATE } from './relay-database.ts';

process.env[SERVER] = inject('postgres');
process.env[TEMPLATE] = inject('template');
process.env[IN_MEMORY] = inject('inMemory') ? '1' : '0';
