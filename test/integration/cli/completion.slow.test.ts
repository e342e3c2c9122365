import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTRY } from '../../support/waxwing-command.ts';
import { complete, folder } from './completion.ts';

beforeAll(() => {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`;
  writeFileSync(join(folder.path, 'waxwing'), script, { mode: 0o755 });
});
afterAll(() => folder[Symbol.dispose]());

/** True if the function disables the file names that bash offers by default. */
function withoutFileNames(...words: string[]): boolean {
  return complete(words, 'echo "$CHANGES"').includes('+o default');
}

describe.skipIf(process.platform === 'win32')('in bash', () => {
  test('names of files are completed by bash itself where an option or argument names one, and nowhere else', () => {
    expect(withoutFileNames('waxwing', 'send', '--identity', 'ro')).toBe(false);
    expect(withoutFileNames('waxwing', 'relay', 'admin', 'backup', '')).toBe(false);
    expect(withoutFileNames('waxwing', 'groups', 'create', 'ro')).toBe(true);
  });
});
