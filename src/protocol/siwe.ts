/**
 * Login with a wallet: EIP-4361 'Sign-In with Ethereum'. Both sides build the text from its fields; neither parses
 * it.
 */
import { z } from 'zod';
import { toChecksumAddress } from './address.ts';
import { recoverSigner } from './wallet.ts';

/** RFC 3339; EIP-4361 allows any offset and precision. */
const Time = z.iso.datetime({ offset: true });
/** RFC 3986 authority: the text before 'wants you to sign in'. */
const Domain = z
  .string()
  .regex(/^(?:[A-Za-z0-9._~-]+@)?(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/);
/** RFC 3986 URI: a scheme, a colon and no white space. */
const Uri = z.string().regex(/^[A-Za-z][A-Za-z0-9+.-]*:[^\s\p{C}]+$/u);

/** The fields of an EIP-4361 message. */
export const SiweFields = z.strictObject({
  /** RFC 3986 scheme of the origin, for a signer that binds it too. */
  scheme: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9+.-]*$/)
    .optional(),
  domain: Domain,
  /** In EIP-55: a wallet shows it to a person. */
  address: z.string().refine((text) => /^0x[0-9a-fA-F]{40}$/.test(text) && toChecksumAddress(text) === text),
  /** One line of URI characters and spaces. */
  statement: z
    .string()
    .regex(/^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/)
    .optional(),
  uri: Uri,
  version: z.literal('1'),
  chainId: z.number().int().nonnegative(),
  nonce: z.string().regex(/^[A-Za-z0-9]{8,}$/),
  issuedAt: Time,
  expirationTime: Time.optional(),
  notBefore: Time.optional(),
  requestId: z
    .string()
    .regex(/^[\x21-\x7e]*$/)
    .optional(),
  resources: z.array(Uri).optional(),
});
export type SiweFields = z.infer<typeof SiweFields>;

/**
 * The text that the wallet signs, without a trailing newline (EIP-4361, 'Message Format').
 * @throws z.ZodError for fields that the standard does not allow
 */
export function formatSiwe(input: SiweFields): string {
  const fields = SiweFields.parse(input);
  const origin = fields.scheme === undefined ? fields.domain : `${fields.scheme}://${fields.domain}`;
  const lines = [
    `${origin} wants you to sign in with your Ethereum account:`,
    fields.address,
    '',
    // Without a statement, its empty line remains: two empty lines in a row.
    ...(fields.statement === undefined ? [''] : [fields.statement, '']),
    `URI: ${fields.uri}`,
    `Version: ${fields.version}`,
    `Chain ID: ${fields.chainId}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issuedAt}`,
  ];
  if (fields.expirationTime !== undefined) lines.push(`Expiration Time: ${fields.expirationTime}`);
  if (fields.notBefore !== undefined) lines.push(`Not Before: ${fields.notBefore}`);
  if (fields.requestId !== undefined) lines.push(`Request ID: ${fields.requestId}`);
  if (fields.resources !== undefined) {
    lines.push('Resources:', ...fields.resources.map((resource) => `- ${resource}`));
  }
  return lines.join('\n');
}

/** Values that the verifier knows itself and does not read from the message. */
export interface SiweExpectation {
  /** The verifier's own authority, from its configuration, never from a `Host` header. */
  domain: string;
  nonce: string;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Reports whether the address in the fields signed exactly them, for this verifier, with this nonce, and now is
 * within their time.
 */
export function verifySiwe(fields: SiweFields, signature: string, expected: SiweExpectation): boolean {
  if (!SiweFields.safeParse(fields).success) return false;
  if (fields.domain !== expected.domain || fields.nonce !== expected.nonce) return false;
  if (fields.expirationTime !== undefined && expected.now >= Date.parse(fields.expirationTime)) return false;
  if (fields.notBefore !== undefined && expected.now < Date.parse(fields.notBefore)) return false;
  return recoverSigner(formatSiwe(fields), signature) === fields.address.toLowerCase();
}
