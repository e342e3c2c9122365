/**
 * Placeholders in the built page and OpenAPI document, which a relay replaces by its own name and URL. Examples name
 * `relay.example` itself, which is not replaced.
 */

export const PLACEHOLDERS = { name: 'name.relay.example', url: 'https://url.relay.example' } as const;

const ANY_PLACEHOLDER = /https:\/\/url\.relay\.example|name\.relay\.example/g;

/** The name and the URL that clients use. */
export interface RelayFacts {
  name: string;
  url: URL;
}

/** The built page with the facts of a relay. */
export function fillInHtml(page: string, relay: RelayFacts): string {
  return fillIn(page, relay, escapeHtml);
}

/** The built OpenAPI document with the facts of a relay. All placeholders are in JSON strings. */
export function fillInJson(document: string, relay: RelayFacts): string {
  return fillIn(document, relay, (value) => JSON.stringify(value).slice(1, -1));
}

/** Replaces in one pass: values are not searched for placeholders. */
function fillIn(text: string, { name, url }: RelayFacts, escapeValue: (value: string) => string): string {
  const values: Record<string, string> = {
    [PLACEHOLDERS.name]: escapeValue(name),
    [PLACEHOLDERS.url]: escapeValue(url.origin),
  };
  return text.replace(ANY_PLACEHOLDER, (placeholder) => values[placeholder] ?? placeholder);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
