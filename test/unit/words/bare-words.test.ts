import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const BIOME = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

/** Contents of braces or an attribute; true if they are refused. */
const samples: [string, boolean][] = [
  ['<p title="Bare words" />', true],
  ['<input placeholder="Bare words" />', true],
  [`<p title={x ? 'bare words' : t('chat.send')} />`, true],
  ['<p title={`bare $' + '{x}`} />', true],
  [`<b>{'bare words'}</b>`, true],
  [`<b>{x && 'bare words'}</b>`, true],
  ['<b>bare words</b>', true],
  [`<p className="a b" title={t('chat.send')} />`, false],
  [`<b>{x === 'sent' ? t('chat.sent') : x}</b>`, false],
  ['<b>@{x} · {x}</b>', false],
];

test('lint refuses words in JSX that are not from the catalogue, in text, braces and attributes', () => {
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  const override = config.overrides.find(({ plugins }: { plugins?: string[] }) =>
    plugins?.includes('./scripts/lint/words.grit'),
  );
  expect(override.includes).toContain('src/renderer/**/*.tsx');
  using folder = temporaryFolder();
  copyFileSync(join(root, 'scripts/lint/words.grit'), join(folder.path, 'words.grit'));
  const { style } = override.linter.rules;
  const rules = { preset: 'none', style };
  const alone = { root: true, plugins: ['./words.grit'], linter: { rules } };
  writeFileSync(join(folder.path, 'biome.json'), JSON.stringify(alone));
  for (const [index, [sample]] of samples.entries()) {
    const source = `export const A = ({ x, t }: never) => (${sample});\n`;
    writeFileSync(join(folder.path, `sample-${index}.tsx`), source);
  }
  const { stdout } = spawnSync(
    process.execPath,
    [BIOME, 'lint', '--reporter=json', '--max-diagnostics=100', '.'],
    {
      cwd: folder.path,
      encoding: 'utf8',
    },
  );
  const found = samples.map(([sample], index) => [sample, stdout.includes(`sample-${index}.tsx`)]);
  expect(found).toEqual(samples);
});
