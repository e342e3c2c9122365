/** Messages in arguments, and recipients that they did not reach. */

import type { Sent } from '../client/index.ts';
import { decodeRef } from '../client/message-ref.ts';
import { findTextProblem, toMessageText } from '../messaging/contents/text.ts';
import { argumentError, commandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';
import { shortAddress } from './people.ts';
import { note } from './printing.ts';
import { readStandardInput } from './secrets.ts';

/**
 * A message reference in an argument.
 * @throws InvalidArgumentError
 */
export function parseRef(text: string): string {
  try {
    decodeRef(text);
    return text;
  } catch {
    throw argumentError('message_ref');
  }
}

/**
 * The text of a message: the argument, or standard input.
 * @throws CommandError if there is no message, or it is too long
 */
export async function readMessage(argument: string | undefined): Promise<string> {
  if (argument === undefined && process.stdin.isTTY) {
    throw commandError('usage', 'message_missing');
  }
  const text = argument === undefined || argument === '-' ? await readStandardInput('The message') : argument;
  const problem = findTextProblem(toMessageText(text));
  if (problem !== null) throw problem;
  return text;
}

/**
 * Prints the recipients that a message did not reach.
 * @returns number of devices that have it
 */
export function noteUndelivered({ undelivered, envelopeIds }: Sent): number {
  for (const { address, reason } of undelivered) note(`Not reached: ${shortAddress(address)}. ${reason}`);
  const devices = envelopeIds.length;
  if (devices > 0) return devices;
  process.exitCode = EXIT.failed;
  note('No one got it: there is no device that can read it.');
  return devices;
}
