/** Named characters of HTML that programs write: those of Latin-1, and of typography. */

const FIRST_OF_LATIN = 0xa0;
/** In the order of their code points. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

const named: ReadonlyMap<string, string> = new Map([
  ...latin.map((name, index) => [name, String.fromCodePoint(FIRST_OF_LATIN + index)] as const),
  ...Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š' },
    ...{ Yuml: 'Ÿ', fnof: 'ƒ', circ: 'ˆ', tilde: '˜', ensp: ' ', emsp: ' ', thinsp: ' ' },
    ...{ zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f', ndash: '–', mdash: '—', lsquo: '‘' },
    ...{ rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', dagger: '†', Dagger: '‡', bull: '•' },
    ...{ hellip: '…', permil: '‰', prime: '′', Prime: '″', lsaquo: '‹', rsaquo: '›', euro: '€', trade: '™' },
    ...{ larr: '←', uarr: '↑', rarr: '→', darr: '↓', minus: '−', le: '≤', ge: '≥', ne: '≠', asymp: '≈' },
  }),
]);

const reference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,31}));/gi;

/**
 * The characters of an HTML text.
 * @returns null for an unknown name
 */
export function withoutEntities(text: string): string | null {
  let isKnown = true;
  const characters = text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name === undefined)
      return characterAt(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    const character = named.get(name);
    if (character === undefined) isKnown = false;
    return character ?? whole;
  });
  return isKnown ? characters : null;
}

/** An invalid code point, or half of a pair, becomes the replacement character. */
function characterAt(code: number): string {
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return isNone ? '\ufffd' : String.fromCodePoint(code);
}
