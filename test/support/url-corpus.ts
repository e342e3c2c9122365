/**
 * Addresses that a stranger may try, and, where a machine has it, the corpus by which browsers test their parsers.
 */
import { readFileSync } from 'node:fs';

/** Every scheme that some program has acted on, in disguises that parsers recognize, before a dangerous part. */
export function hostileAddresses(): string[] {
  const schemes = [
    ...[
      'https',
      'http',
      'mailto',
      'file',
      'ftp',
      'ws',
      'wss',
      'data',
      'blob',
      'javascript',
      'vbscript',
      'about',
    ],
    ...[
      'app',
      'waxwing',
      'view-source',
      'chrome',
      'devtools',
      'filesystem',
      'smb',
      'nfs',
      'sftp',
      'ssh',
      'telnet',
    ],
    ...[
      'ms-msdt',
      'search-ms',
      'ms-officecmd',
      'ms-word',
      'shell',
      'mk',
      'res',
      'jar',
      'intent',
      'tel',
      'sms',
    ],
    ...[
      'steam',
      'slack',
      'zoommtg',
      'vscode',
      'git',
      'svn+ssh',
      'ldap',
      'magnet',
      'webcal',
      'x-apple.systempreferences',
    ],
  ];
  const disguises = [
    (scheme: string) => `${scheme}:`,
    (scheme: string) => `${scheme.toUpperCase()}:`,
    (scheme: string) => ` ${scheme}:`,
    (scheme: string) => `\u0000${scheme}:`,
    (scheme: string) => `${scheme.slice(0, 2)}\t${scheme.slice(2)}:`,
    (scheme: string) => `${scheme.slice(0, 2)}\n${scheme.slice(2)}:`,
    (scheme: string) => `${scheme}\u200b:`,
    (scheme: string) => `\ufeff${scheme}:`,
    (scheme: string) => `\u202e${scheme}:`,
    (scheme: string) => `${scheme}%3a`,
    (scheme: string) => `${scheme}&#58;`,
    (scheme: string) => `https:${scheme}:`,
    (scheme: string) => `url:${scheme}:`,
  ];
  const rests = [
    '//example.org/',
    '//example.org:8443/a b?c=d#e',
    '//user:password@example.org/',
    '//bank.example%40evil.example/',
    '//bank.example\\@evil.example/',
    '//аpple.com/',
    '//example.org%00.evil.example/',
    '//exa\u00admple.org/',
    '//①②⑦.①/',
    '//0x7f.1/',
    '//[::1]/',
    '////server/share/picture.png',
    '\\\\server\\share',
    '///etc/passwd',
    '/id PCWDiagnostic',
    'alert(1)//',
    'text/html,<script>alert(1)</script>',
    'ann@example.org',
    'ann@example.org?attach=/etc/passwd',
    'ann@example.org?subject=a&Attachment=/etc/passwd',
    'ann@example.org?subject=a&%61ttach=/etc/passwd',
    'ann@example.org?body=%0d%0aAttach:/etc/passwd',
    '',
  ];
  const disguised = schemes.flatMap((scheme) => disguises.map((disguise) => disguise(scheme)));
  return disguised.flatMap((start) => rests.map((rest) => start + rest));
}

/** A case of the corpus: the input, its base, and the expected result. */
export interface UrlCase {
  input: string;
  base: string | null;
  failure?: true;
  href?: string;
  protocol?: string;
  username?: string;
  password?: string;
}

/**
 * The corpus of the Web Platform Tests (url/resources/urltestdata.json), from the file that `WAXWING_URL_CORPUS` names.
 * It is not part of this repository. Null where it is not there.
 */
export function webPlatformCases(): UrlCase[] | null {
  const path = process.env.WAXWING_URL_CORPUS;
  if (path === undefined) return null;
  // The strings in the list are comments.
  const list = JSON.parse(readFileSync(path, 'utf8')) as (UrlCase | string)[];
  return list.filter((each) => typeof each === 'object');
}
