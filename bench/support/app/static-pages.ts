/** Pages without a program, beside which the app is measured. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FirstLoad } from './bundle.ts';

const HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>';
const ROOT = '<div id="root">Here</div>';

export interface StaticPages extends AsyncDisposable {
  /** A page with one element. */
  empty: string;
  /** The same element, with as many bytes of scripts and styles as the app loads first; they do nothing. */
  sameBytes: string;
  /** A page with one text field. */
  field: string;
}

/** @param load the first load of the app, read from its build in `folder` */
export async function serveStaticPages(folder: string, { scripts, styles }: FirstLoad): Promise<StaticPages> {
  const comment = (file: string) =>
    `/*${'*'.repeat(Math.max(0, readFileSync(join(folder, file)).length - 4))}*/`;
  const tags = [
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...scripts.map((file) => `<script type="module" src="/${file}"></script>`),
  ];
  const answers = new Map([
    ['/empty', `${HEAD}${ROOT}`],
    ['/same-bytes', `${HEAD}${tags.join('')}${ROOT}`],
    ['/field', `${HEAD}<textarea rows="1" style="width: 700px; font: 16px sans-serif" autofocus></textarea>`],
    ...[...scripts, ...styles].map((file): [string, string] => [`/${file}`, comment(file)]),
  ]);
  const server = createServer(({ url = '' }, response) => {
    const body = answers.get(url);
    const type = url.endsWith('.js') ? 'text/javascript' : url.endsWith('.css') ? 'text/css' : 'text/html';
    response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': type, 'cache-control': 'no-store' })
      .end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    empty: `${origin}/empty`,
    sameBytes: `${origin}/same-bytes`,
    field: `${origin}/field`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
