/**
 * The first page of the dev server: the way to every scene.
 */
import { sceneNames } from '../scenes/index.ts';

const list = document.getElementById('scenes');
for (const name of sceneNames) {
  const row = document.createElement('li');
  const links = [
    [name, ''],
    ['dark', '&theme=dark'],
    ['pseudo-locale', '&lang=en-XB'],
  ] as const;
  for (const [text, more] of links) {
    const link = document.createElement('a');
    link.href = `scene.html?scene=${name}${more}`;
    link.textContent = text;
    row.append(link, ' ');
  }
  list?.append(row);
}
