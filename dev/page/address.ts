/**
 * Parameters of the page's address: `?scene=many&theme=dark&lang=en-XB`. Its language is that of the page from the
 * moment that this is imported.
 */
import { languageOf, languages } from '../../src/words/languages.ts';

const query = new URLSearchParams(window.location.search);
const language = languageOf(query.get('lang') ?? undefined);
document.documentElement.lang = language;
document.documentElement.dir = query.get('dir') ?? languages[language];

/** A parameter of the page's address; null if there is none. */
export function queryValue(
  name: 'scene' | 'theme' | 'open' | 'show' | 'delay' | 'text' | 'density' | 'slow',
): string | null {
  return query.get(name);
}
