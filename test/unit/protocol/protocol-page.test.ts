/**
 * Facts of the code repeated in docs/protocol.md.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../../src/protocol/endpoints.ts';

const page = readFileSync(new URL('../../../docs/protocol.md', import.meta.url), 'utf8');

test('the protocol’s page names the errors of each call', () => {
  const [, section = ''] = /^### Errors$(.*?)^## /ms.exec(page) ?? [];
  const documented = [...section.matchAll(/^\| `(\w+ \/\S*)` \| (.*) \|$/gm)].map(([, call, codes]) => [
    call,
    codes?.match(/\w+/g),
  ]);
  const endpoints: readonly Endpoint[] = Object.values(ENDPOINTS);
  const expected = endpoints.flatMap(({ method, path, problems }) =>
    problems.length > 0 ? [[`${method} ${path}`, problems]] : [],
  );
  expect(documented).toEqual(expected);
});

test('the protocol’s page has each call', () => {
  const [, section = ''] = /^## 14\. Endpoints$(.*?)^### Errors$/ms.exec(page) ?? [];
  for (const { method, path } of Object.values(ENDPOINTS))
    expect(section).toContain(`\`${method} ${path || '/api/v1'}`);
});
