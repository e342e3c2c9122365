/** The engine's thread of a later version: with one more migration. */
import { addCountingMigration } from './counting-migration.ts';

addCountingMigration();
await import('../../src/engine/worker.ts');
