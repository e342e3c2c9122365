/** Attachments that a later version, or a stranger, may send. This version has no support for them. */
import type { DirectBody } from '../../src/protocol/payload.ts';
import { directBody } from './hostile-relay/forgery.ts';

/** A mark in the bytes of an attachment, for searches. */
export const CONTENT_MARKER = 'waxwing-attachment-content-3f1c';

/** File names that made programs write to wrong places, or that hide the type of a file. */
export const FILE_NAMES = [
  ...['CON', 'con.txt', 'NUL', 'COM1.log', 'LPT1', 'AUX.h', 'CONIN$', 'CLOCK$', 'COM\u00b9'],
  ...[
    '../../escaped.txt',
    '..\\..\\escaped.txt',
    '/etc/escaped.txt',
    'C:\\escaped.txt',
    '\\\\server\\share\\escaped',
  ],
  ...[
    '%2e%2e%2fescaped.txt',
    '..%c0%afescaped.txt',
    '....//escaped.txt',
    '~/escaped.txt',
    'file:///escaped.txt',
  ],
  ...[
    'escaped.txt\u0000.png',
    'escaped\u202egnp.exe',
    'escaped.png\u200b.exe',
    'escaped.png .exe',
    'escaped.png.exe',
  ],
  ...[
    'escaped.',
    'escaped ',
    ' escaped',
    '.escaped',
    '-escaped',
    'escaped:stream',
    'escaped::$DATA',
    'desktop.ini',
  ],
  ...[
    'escaped\u00e9.txt',
    'escapede\u0301.txt',
    'ESCAPED.TXT',
    'escaped|sh',
    '$(escaped)',
    '`escaped`',
    '"><img src=x>',
  ],
  ...[
    '.htaccess',
    'autorun.inf',
    'escaped.lnk',
    'escaped.desktop',
    'escaped.scf',
    'escaped.url',
    'escaped.svg',
  ],
  ...['', '.', '..', '__proto__', 'constructor', 'e'.repeat(4_096)],
];

/** Files of two kinds at once, by their first bytes and their contents. */
const POLYGLOTS: [type: string, content: string][] = [
  ['image/png', `\u0089PNG\r\n\u001a\n<script>alert("${CONTENT_MARKER}")</script>`],
  ['image/gif', `GIF89a/*${CONTENT_MARKER}*/=1;alert(1)`],
  [
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><!--${CONTENT_MARKER}--></svg>`,
  ],
  ['text/html', `<!doctype html><script>alert("${CONTENT_MARKER}")</script>`],
  ['image/jpeg', `MZ\u0090\u0000${CONTENT_MARKER}`],
  ['application/pdf', `%PDF-1.7\n#!/bin/sh\necho ${CONTENT_MARKER}`],
  ['application/x-desktop', `[Desktop Entry]\nExec=sh -c "${CONTENT_MARKER}"`],
  ['message/external-body', CONTENT_MARKER],
];

/** One body for each name, each with another content, under several guessed field names. */
export function hostileAttachments(from: string, to: string): DirectBody[] {
  return FILE_NAMES.map((name, index) => {
    const [type = '', content = ''] = POLYGLOTS[index % POLYGLOTS.length] ?? [];
    const data = Buffer.from(content).toString('base64');
    const file = {
      name,
      filename: name,
      path: name,
      type,
      mimeType: type,
      size: content.length,
      data,
      content,
    };
    const url = `data:${type};base64,${data}`;
    const links = { url, href: url, src: 'file://server/share/picture.png', thumbnail: url };
    const caption = `<img src="${url}">`;
    return {
      ...directBody(from, to, caption),
      kind: 'attachment',
      ...file,
      ...links,
      caption,
      attachments: [file],
    };
  });
}
