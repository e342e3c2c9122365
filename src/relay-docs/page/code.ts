/** Blocks of code with their colours, generated here so that the page needs no script for them. */
import { escapeHtml } from '../../relay/docs/placeholders.ts';
import { Html, html } from './html.ts';

type Language = 'json' | 'shell' | 'javascript' | 'text';

/** The coloured parts of each language: the first group that matches is the class. */
const TOKENS: Record<Language, RegExp | null> = {
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>\b(?:true|false|null|-?\d[\d.]*)\b)/g,
  shell:
    /(?<comment>(?<=^|\s)#.*$)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<key>\$\{?\w+\}?)|(?<number>(?<=^|\s)(?:curl|waxwing|node|export|npm)\b)/gm,
  javascript:
    /(?<comment>\/\/.*$)|(?<string>'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<number>(?<![.\w])(?:import|from|const|let|function|return|await|async|for|of|if|else|throw|new)\b)/gm,
  text: null,
};

/** A block of code that scrolls by itself. `label` describes it for screen readers. */
export function codeBlock(language: Language, label: string, source: string): Html {
  return html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0" role="group" aria-label="${label}"><code class="${language}">${highlight(language, source)}</code></pre></figure>`;
}

/** A value as indented JSON. */
export function jsonBlock(label: string, value: unknown): Html {
  return codeBlock('json', label, JSON.stringify(value, null, 2));
}

function highlight(language: Language, source: string): Html {
  const tokens = TOKENS[language];
  if (!tokens) return html`${source}`;
  let text = '';
  let end = 0;
  for (const match of source.matchAll(tokens)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? ['string'];
    text += `${escapeHtml(source.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return new Html(text + escapeHtml(source.slice(end)));
}
