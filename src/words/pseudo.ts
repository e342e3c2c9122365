/**
 * A made-up language of the English words: accented and about a third longer. A text without accents is not
 * from the catalog; a text that does not fit will not fit in German.
 */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { pseudoLocalizeString } from 'pseudo-localization';
import type { Catalogue } from './format.ts';

/** Parameters, plurals and tags stay as they are; the text between them changes. */
function pseudoElement(element: MessageFormatElement): MessageFormatElement {
  switch (element.type) {
    case TYPE.literal:
      return { ...element, value: pseudoLocalizeString(element.value) };
    case TYPE.tag:
      return { ...element, children: element.children.map(pseudoElement) };
    case TYPE.plural:
    case TYPE.select: {
      const options = Object.entries(element.options).map(([name, option]) => [
        name,
        { ...option, value: option.value.map(pseudoElement) },
      ]);
      return { ...element, options: Object.fromEntries(options) };
    }
    default:
      return element;
  }
}

/** @throws SyntaxError if a message is not ICU MessageFormat */
export function pseudoMessage(message: string): string {
  return printAST(parse(message).map(pseudoElement));
}

/** Every message of a catalogue in the made-up language. */
export function pseudoCatalogue(catalogue: Catalogue): Catalogue {
  const sections = Object.entries(catalogue).map(([section, messages]) => [
    section,
    Object.fromEntries(Object.entries(messages).map(([name, text]) => [name, pseudoMessage(text)])),
  ]);
  return Object.fromEntries(sections);
}
