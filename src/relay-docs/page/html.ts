/** HTML as a tagged template: values are escaped, unless they are HTML already. */
import { escapeHtml } from '../../relay/docs/placeholders.ts';

/** Text that is HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | null | readonly Content[];

/**
 * The template, with every value escaped that is not HTML itself. Null becomes nothing; a list becomes its parts in
 * a row.
 */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.map((part, index) => part + toText(values[index] ?? null)).join(''));
}

function toText(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(toText).join('');
  return escapeHtml(String(content));
}

/** A sentence with backquotes around code, as in the descriptions of schemas and problems. */
export function prose(sentence: string): Html {
  return new Html(
    sentence
      .split('`')
      .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
      .join(''),
  );
}
