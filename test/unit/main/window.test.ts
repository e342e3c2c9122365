import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { mayOpenOutside, windowOptions } from '../../../src/main/window.ts';
import { anyString, anyWebAddress } from '../../support/any-string.ts';
import { openWindow } from '../../support/connected-window.ts';

const OUTSIDE = [
  'https://example.org/',
  'file:///etc/passwd',
  'file://server/share/picture.png',
  '\\\\server\\share',
  'app://waxwing.evil/',
  'app://waxwing/index.html',
  'app://waxwing/#/elsewhere',
  'APP://waxwing/',
  'app://waxwing',
  'data:text/html,<script>1</script>',
  'blob:app://waxwing/5d1c',
  'javascript:alert(1)',
  'about:blank',
  'about:srcdoc',
  'http://127.0.0.1:8080/',
  'waxwing:open',
  'view-source:app://waxwing/',
  'chrome://gpu',
  'devtools://devtools/bundled/inspector.html',
  'ms-msdt:/id',
  'search-ms:query=x',
  'smb://server/share',
  'ssh://-oProxyCommand=x',
  'vbscript:x',
  '',
];

const look = {
  preload: '/out/preload/index.cjs',
  isPackaged: true,
  isDark: true,
  icon: '/build/icon.png',
  place: { width: 1200, height: 800 },
};

describe('the window', () => {
  test('C1: is created with every safeguard, developer tools only before packaging', () => {
    expect(windowOptions(look)).toEqual({
      icon: '/build/icon.png',
      width: 1200,
      height: 800,
      minWidth: 360,
      minHeight: 480,
      show: false,
      title: 'Waxwing',
      backgroundColor: '#141210',
      autoHideMenuBar: true,
      webPreferences: {
        preload: '/out/preload/index.cjs',
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: true,
        devTools: false,
      },
    });
    expect(windowOptions({ ...look, isPackaged: false }).webPreferences?.devTools).toBe(true);
  });

  test('C1: has the options of the factory, and shows the interface under its own origin', async () => {
    const { window, contents } = await openWindow();
    expect(window.options).toEqual(windowOptions({ ...look, isDark: false, icon: null }));
    expect(contents.frame.url).toBe('app://waxwing/');
  });

  test('has the colour of the page before it loads, in light and in dark', () => {
    const tokens = readFileSync(new URL('../../../src/renderer/design/tokens.css', import.meta.url), 'utf8');
    const [light, dark] = [false, true].map((isDark) => windowOptions({ ...look, isDark }).backgroundColor);
    expect(tokens).toContain(`--color-canvas: light-dark(${light}, ${dark});`);
  });

  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect'] as const)(
    'C4, V3: stays where it is on %s',
    async (event) => {
      const { contents } = await openWindow();
      for (const url of OUTSIDE) expect([url, contents.navigate(event, url)]).toEqual([url, false]);
      fc.assert(
        fc.property(anyWebAddress('https', 'http'), (url) => {
          expect(contents.navigate(event, url)).toBe(false);
        }),
      );
      expect(contents.navigate(event, 'app://waxwing/')).toBe(true);
    },
  );

  test('is reloaded after its renderer ended, a limited number of times', async () => {
    vi.useFakeTimers();
    const { contents, electron, window } = await openWindow();
    const { dialog } = electron;
    const crash = (...reasons: Parameters<typeof contents.crash>[0][]) => {
      for (const reason of reasons) contents.crash(reason);
      vi.advanceTimersByTime(1);
      return [contents.reloads, dialog.errors.length];
    };
    expect(crash('clean-exit')).toEqual([0, 0]);
    expect(crash('crashed', 'oom', 'killed')).toEqual([3, 0]);
    expect(crash('crashed')).toEqual([3, 1]);
    expect(dialog.errors).toMatchObject([{ title: 'Waxwing can’t show its window' }]);
    vi.advanceTimersByTime(61_000);
    expect(crash('crashed')).toEqual([4, 1]);
    expect(crash('launch-failed')).toEqual([4, 2]);
    contents.crash('crashed');
    window.close();
    expect(() => vi.advanceTimersByTime(1)).not.toThrow();
    vi.useRealTimers();
  });

  test('C4: attaches no webview', async () => {
    const { contents } = await openWindow();
    expect(contents.attachWebview()).toBe(false);
  });
});

describe('a link', () => {
  test('C8, V2: opens outside if it is https or mailto, as the parser writes it, and never in a window', async () => {
    const { contents, shell } = await openWindow();
    const links = ['https://example.org/a b', 'HTTPS://EXAMPLE.org', 'mailto:ann@example.org'];
    for (const link of links) expect(contents.open(link)).toBe('deny');
    expect(shell.opened).toEqual([
      'https://example.org/a%20b',
      'https://example.org/',
      'mailto:ann@example.org',
    ]);
  });

  test('C8, V2, V6: of any other kind opens nothing', async () => {
    const { contents, shell } = await openWindow();
    const credentials = ['https://bank.example@evil.example/', 'https://:secret@example.org/'];
    const tricks = [
      'https://a\t.example/',
      'https://exa\nmple.org/',
      'mailto:ann@example.org?attach=/etc/passwd',
      'mailto:ann@example.org?subject=x&ATTACHMENT=/etc/passwd',
      'mailto:ann@example.org?%61ttach=/etc/passwd',
    ];
    const links = [...OUTSIDE, ...credentials, ...tricks].filter((link) => link !== 'https://example.org/');
    for (const link of links) expect(contents.open(link)).toBe('deny');
    expect(shell.opened).toEqual([]);
  });

  test('C8: without a program in the system is not an error', async () => {
    const { contents, shell } = await openWindow();
    shell.hasProgram = false;
    expect(contents.open('mailto:ann@example.org')).toBe('deny');
    await new Promise(setImmediate);
    expect(shell.opened).toHaveLength(1);
  });

  test('C8, V2, V6: never opens outside with another scheme, in any spelling', () => {
    const scheme = fc.constantFrom('file', 'app', 'javascript', 'data', 'http', 'smb', 'waxwing', 'ms-msdt');
    const noise = fc.constantFrom('', ' ', '\t', '\n', '\u0000', '\u200b');
    fc.assert(
      fc.property(noise, scheme, noise, fc.string(), (before, name, between, rest) => {
        expect(mayOpenOutside(`${before}${name}${between}:${rest}`)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('C8, V2: opens outside only as https or mailto without credentials, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(anyString(), anyWebAddress('https', 'http'), anyWebAddress('ftp')), (text) => {
        if (!mayOpenOutside(text)) return;
        expect(new URL(text).href).toMatch(/^(?:https:\/\/[^@/]+\/|mailto:)/);
      }),
      { numRuns: 5_000 },
    );
  });
});
