/**
 * Writes the table of calls in docs/library.md: node scripts/make-library-page.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Endpoint } from '../src/protocol/endpoints/endpoint.ts';
import { ENDPOINTS } from '../src/protocol/endpoints.ts';

export const PAGE = new URL('../docs/library.md', import.meta.url);

const BEGIN = '<!-- begin: calls -->';
const END = '<!-- end: calls -->';

/** The page with its generated table as it has to be; what a person wrote around it stays. */
export function libraryPage(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`docs/library.md lacks ${BEGIN} or ${END}`);
  return `${before}${BEGIN}\n\n${callTable()}\n\n${END}${after}`;
}

/** Calls that need a credential: the others are the login, which `account` makes by itself. */
function callTable(): string {
  const rows = Object.entries<Endpoint>(ENDPOINTS)
    .filter(([, { access }]) => access !== 'anyone')
    .map(([name, endpoint]) => {
      const inputs = (['params', 'query', 'request'] as const).filter((part) => endpoint[part]);
      const options = inputs.map((part) => (part === 'request' ? '`body`' : `\`${part}\``)).join(', ');
      return `| \`${name}\` | ${options} | \`${endpoint.method} ${endpoint.path}\` | ${endpoint.summary} |`;
    });
  return ['| name | options | call of the API | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

if (process.argv[1]?.endsWith('make-library-page.ts')) {
  writeFileSync(PAGE, libraryPage(readFileSync(PAGE, 'utf8')));
}
