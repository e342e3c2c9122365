import fc, { type Arbitrary } from 'fast-check';

const codePoint = fc
  .oneof(
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
    { weight: 2, arbitrary: fc.integer({ min: 0x80, max: 0xd7ff }) },
    { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map((code) => String.fromCodePoint(code));

/** Names of built-in object members, which are unsafe as keys. */
const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty');

/**
 * Strings of any code points except lone surrogates. The unit 'binary' of fast-check needs a second of a processor
 * once per process: it builds a map of all code points.
 * @param maxLength in code points; without it fast-check chooses, and names of object members are among the strings
 */
export function anyString(maxLength?: number): Arbitrary<string> {
  const made = fc
    .array(codePoint, maxLength === undefined ? {} : { maxLength })
    .map((parts) => parts.join(''));
  return maxLength === undefined
    ? fc.oneof({ weight: 15, arbitrary: made }, { weight: 1, arbitrary: names })
    : made;
}

/** Parts of an address: path segments, query and fragment. */
const addressPart = fc
  .array(fc.oneof(fc.constantFrom(...`azAZ09-._~!$&'()*+,;=:@`), codePoint.map(encodeURIComponent)), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

/** Addresses of the web with paths, queries and fragments, for the same reason not by `fc.webUrl`. */
export function anyWebAddress(...schemes: [string, ...string[]]): Arbitrary<string> {
  const behind = (sign: string) =>
    fc.oneof(
      fc.constant(''),
      addressPart.map((part) => sign + part),
    );
  return fc
    .tuple(
      fc.constantFrom(...schemes),
      fc.webAuthority(),
      fc.array(addressPart, { maxLength: 4 }),
      behind('?'),
      behind('#'),
    )
    .map(
      ([scheme, authority, path, query, fragment]) =>
        `${scheme}://${authority}${path.map((part) => `/${part}`).join('')}${query}${fragment}`,
    );
}
