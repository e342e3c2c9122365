/**
 * Schemas without zod's compiler, which the content policy of pages forbids. Imported before the first schema. The app's
 * own pages load no schemas: only the fake bridge does.
 */
import { config } from 'zod';

config({ jitless: true });
