/** The protocol and its vectors as served by a relay: files of the repository, included in every package. */
import { readdirSync, readFileSync } from 'node:fs';
import { packageFolder } from './package-folder.ts';

/** Paths of the files below the package's folder. */
const PROTOCOL = 'docs/protocol.md';
const VECTORS = 'docs/vectors/';

export interface Text {
  /** Path at the relay. */
  path: string;
  /** Media type; Markdown is served as plain text, so that browsers show it. */
  type: string;
  read: () => string;
}

/** Every text that a relay serves. Reads only names. */
export function texts(root = packageFolder()): Text[] {
  const vectors = readdirSync(new URL(VECTORS, root)).sort();
  return [
    { path: '/protocol.md', type: MARKDOWN, read: () => withServedLinks(read(root, PROTOCOL)) },
    ...vectors.map((name) => ({
      path: `/vectors/${name}`,
      type: name.endsWith('.json') ? 'application/json; charset=utf-8' : MARKDOWN,
      read: () => withServedLinks(read(root, VECTORS + name)),
    })),
  ];
}

const MARKDOWN = 'text/plain; charset=utf-8';

function read(root: URL, path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** Rewrites links between the files of the repository to links at a relay. */
function withServedLinks(text: string): string {
  return text.replaceAll('](vectors/', '](/vectors/').replaceAll('](../protocol.md', '](/protocol.md');
}
