/** Parsing of a body in parts, so that a long list does not occupy the answering thread at once. */
import type { LongList } from './json-limits.ts';

/**
 * The value of a body. Its long list is parsed in parts, and the rest with an empty list in its place: if all of them are JSON,
 * so is the body, because each part has an element.
 * @param parse a parser of JSON texts
 * @param pause called between two parts
 * @throws the error of `parse`
 */
export async function parseInParts(
  body: Buffer,
  list: LongList | null,
  parse: (text: string) => unknown,
  pause: () => Promise<void>,
): Promise<unknown> {
  const whole = () => parse(body.toString('utf8'));
  if (list === null) return whole();
  const textOf = (from: number, to: number) => body.toString('utf8', from, to);
  const rest = parse(textOf(0, list.start + 1) + textOf(list.end, body.length)) as object;
  const elements: unknown[] = [];
  let from = list.start + 1;
  for (const to of [...list.cuts, list.end]) {
    await pause();
    const part = parse(`[${textOf(from, to)}]`) as unknown[];
    // Not JSON: two commas without an element between them. The parser names the place.
    if (part.length === 0) return whole();
    for (const element of part) elements.push(element);
    from = to + 1;
  }
  return { ...rest, [list.name]: elements };
}
