/** The title, description and picture that a web page names for previews. */
import { Parser } from 'htmlparser2';

interface PageFacts {
  title: string | null;
  description: string | null;
  /** Address of its picture, perhaps relative to the page. */
  image: string | null;
}

/** Length of the beginning in which a page may name its encoding, in bytes. */
const ENCODING_BYTES = 1_024;
/** Text is parsed in pieces, so that the body of a page is left out. */
const PIECE = 16 * 1_024;
/** Tags after which reading ends: the parser keeps a list of open ones, whose cost grows with its square. */
const MAX_TAGS = 3_000;
/** A longer title is cut later; more of its text is not collected. */
const MAX_TITLE = 2_000;

const TITLES = ['og:title', 'twitter:title', 'title'];
const DESCRIPTIONS = ['og:description', 'twitter:description', 'description'];
const IMAGES = ['og:image:secure_url', 'og:image', 'twitter:image'];

/**
 * Reads the head of a page. The parser reports names and texts, and runs nothing.
 * @param type its content type
 */
export function pageFacts(body: Uint8Array, type: string): PageFacts {
  const text = decoded(body, type);
  const named = new Map<string, string>();
  let isOver = false;
  const note = (name: string, value: string) => {
    if (!isOver && value !== '' && !named.has(name)) named.set(name, value);
  };
  let title: string | null = null;
  let tags = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      tags += 1;
      if (name === 'body' || tags > MAX_TAGS) isOver = true;
      if (name === 'title' && title === null) title = '';
      if (name === 'meta')
        note((attributes.property ?? attributes.name ?? '').toLowerCase(), attributes.content ?? '');
    },
    ontext(part) {
      if (title !== null && title.length < MAX_TITLE) title += part;
    },
    onclosetag(name) {
      if (name === 'title' && title !== null) {
        note('title', title);
        // A second one is ignored.
        title = null;
      }
      if (name === 'head') isOver = true;
    },
  });
  for (let at = 0; at < text.length && !isOver; at += PIECE) parser.write(text.slice(at, at + PIECE));
  const first = (names: readonly string[]) =>
    names.map((name) => named.get(name)).find((value) => value !== undefined) ?? null;
  return { title: first(TITLES), description: first(DESCRIPTIONS), image: first(IMAGES) };
}

/** By the encoding of the header, else of the page, else UTF-8. An unknown one counts as UTF-8. */
function decoded(body: Uint8Array, type: string): string {
  const beginning = Buffer.from(body.subarray(0, ENCODING_BYTES)).toString('latin1');
  const label = charsetIn(type) ?? charsetIn(beginning) ?? 'utf-8';
  return decoderOf(label).decode(body);
}

const charsetIn = (text: string) => /charset\s*=\s*["']?([\w-]{1,40})/i.exec(text)?.[1];

function decoderOf(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
