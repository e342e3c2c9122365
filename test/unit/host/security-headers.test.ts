import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { type Finding, Severity } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { describe, expect, test } from 'vitest';
import { CONTENT_SECURITY_POLICY } from '../../../src/host/security-headers.ts';

function worstOf(policy: string): Finding[] {
  const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
  return findings.filter(({ severity }) => severity < Severity.INFO && severity !== Severity.STRICT_CSP);
}

describe('C2: the policy', () => {
  test('has no weakness for an independent evaluator, except its note on script hosts', () => {
    expect(worstOf(CONTENT_SECURITY_POLICY).map(({ directive, value }) => [directive, value])).toEqual([
      ['script-src', "'self'"],
    ]);
  });

  test('would be weak with inline scripts', () => {
    const weak = CONTENT_SECURITY_POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'");
    expect(worstOf(weak).some(({ severity }) => severity === Severity.HIGH)).toBe(true);
  });
});

/** All sources below a room, by their path. */
function sources(room: string): [string, string][] {
  const folder = fileURLToPath(new URL(`../../../src/${room}`, import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [join(room, name), readFileSync(join(folder, name), 'utf8')]);
}

describe('the sources', () => {
  const all = sources('');

  test('C1: create windows in one place', () => {
    const makers = all.filter(([, text]) => /new (?:\w+\.)?BrowserWindow\(/.test(text)).map(([path]) => path);
    expect(makers).toEqual(['main/window.ts']);
  });

  test('C8: open links in one place, and no path except the folder of the log and a file that the person opens', () => {
    expect(all.filter(([, text]) => text.includes('openExternal(')).map(([path]) => path)).toEqual([
      'main/window.ts',
    ]);
    expect(all.filter(([, text]) => text.includes('openPath(')).map(([path]) => path)).toEqual([
      'main/file-desktop.ts',
      'main/help.ts',
    ]);
  });

  test('C17: start no crash reporter', () => {
    expect(all.filter(([, text]) => text.includes('crashReporter')).map(([path]) => path)).toEqual([]);
  });

  test('C21: start no process', () => {
    expect(all.filter(([, text]) => text.includes('child_process')).map(([path]) => path)).toEqual([]);
  });

  test('V1: insert no text into a page as markup', () => {
    const sinks =
      /dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\(/;
    const found = all.filter(
      ([path, text]) => /^(?:renderer|browser-host\/page)/.test(path) && sinks.test(text),
    );
    expect(found.map(([path]) => path)).toEqual([]);
  });
});
