/**
 * The side of a link that is given the code: takes what it opens, once.
 */
import { Failure } from '../../base/failure.ts';
import { RelayHttp, RelayRefusal, RelayUnreachable } from '../../client/http.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import {
  deriveLink,
  LinkCodeError,
  type LinkCodeFault,
  type LinkContent,
  LinkOpenError,
  openLink,
  parseLinkCode,
} from '../../protocol/link.ts';

/** What is wrong with a code that is being typed, or null if it can be tried. */
export function findLinkCodeProblem(code: string): Failure | null {
  try {
    parseLinkCode(code);
    return null;
  } catch (error) {
    if (error instanceof LinkCodeError) return failureOf(error.fault);
    throw error;
  }
}

/**
 * Keeps what it has taken, in memory only: when a later step of setting up fails, it can be tried again, though the
 * relay gives it to nobody twice.
 */
export class LinkTaker {
  #taken: { id: string; content: LinkContent } | null = null;

  /**
   * The wallet's secret that waits under a code.
   * @param url base URL of the relay
   * @throws Failure, RelayUnreachable
   */
  async take(code: string, url: string): Promise<string> {
    const secret = readCode(code);
    const { id } = deriveLink(secret);
    if (this.#taken?.id !== id) this.#taken = { id, content: await fetchLink(id, secret, url) };
    const { content } = this.#taken;
    if (new URL(content.relay).origin !== new URL(url).origin) {
      throw new Failure('link_at_other_relay', { relay: content.relay });
    }
    return content.secret;
  }

  forget(): void {
    this.#taken = null;
  }

  /** What a failure means for a code that has been taken. */
  explain(error: unknown): unknown {
    if (!this.#taken) return error;
    const isRelays = error instanceof RelayUnreachable || error instanceof RelayRefusal;
    return isRelays ? new Failure('link_interrupted') : error;
  }
}

function failureOf(fault: LinkCodeFault): Failure {
  switch (fault.wrong) {
    case 'character':
      return new Failure('code_stranger', { character: fault.character });
    case 'length':
      return new Failure('code_length', { length: fault.length, given: fault.given });
    case 'checksum':
      return new Failure('code_mistyped');
  }
}

function readCode(code: string): Uint8Array {
  const problem = findLinkCodeProblem(code);
  if (problem !== null) throw problem;
  return parseLinkCode(code);
}

async function fetchLink(id: string, secret: Uint8Array, url: string): Promise<LinkContent> {
  try {
    const { sealed } = await new RelayHttp(url).call('takeLink', { params: { id } });
    return openLink(secret, decodeBase64Url(sealed));
  } catch (error) {
    if (error instanceof RelayRefusal && error.code === 'not_found') {
      throw new Failure('link_gone');
    }
    if (error instanceof LinkOpenError) {
      throw new Failure('link_unproven');
    }
    throw error;
  }
}
