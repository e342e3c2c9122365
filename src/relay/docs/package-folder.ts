import { existsSync } from 'node:fs';

/** The folder of the package.json above this file, in a different place in each package. */
export function packageFolder(): URL {
  let folder = new URL('./', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) {
    const parent = new URL('../', folder);
    if (parent.href === folder.href) throw new Error('no package.json above the relay');
    folder = parent;
  }
  return folder;
}
