/**
 * Writes the page of a relay, its content security policy and its OpenAPI document into docs/relay, from where a relay
 * serves them. The build does this, too. Argument: another folder.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageFolder } from '../src/relay/docs/page-files.ts';
import { texts } from '../src/relay/docs/texts.ts';
import { makeRelayDocs } from '../src/relay-docs/index.ts';

const folder = process.argv[2] ?? fileURLToPath(pageFolder());
mkdirSync(folder, { recursive: true });
const docs = makeRelayDocs(texts().map(({ path }) => path));
for (const [name, text] of Object.entries(docs)) {
  const file = join(folder, name);
  // A relay may read it meanwhile.
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
