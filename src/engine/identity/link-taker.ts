/**
 * The side of a link that is given the code: takes what it opens, once.
 */
import { RelayHttp, RelayRefusal, RelayUnreachable } from '../../client/http.ts';
import { native } from '../../protocol/crypto/native.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import {
  deriveLink,
  LinkCodeError,
  type LinkContent,
  LinkOpenError,
  openLink,
  parseLinkCode,
} from '../../protocol/link.ts';
import { EngineFailure } from '../failure.ts';

const STILL_HERE =
  'The code is used up, but what it brought is kept until Waxwing is closed: you can try again here. After that you need a new code.';

/** What is wrong with a code that is being typed, as a sentence, or null if it can be tried. */
export function findLinkCodeProblem(code: string): string | null {
  try {
    parseLinkCode(native, code);
    return null;
  } catch (error) {
    if (error instanceof LinkCodeError) return error.message;
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
   * @throws EngineFailure, RelayUnreachable
   */
  async take(code: string, url: string): Promise<string> {
    const secret = readCode(code);
    const { id } = deriveLink(native, secret);
    if (this.#taken?.id !== id) this.#taken = { id, content: await fetchLink(id, secret, url) };
    const { content } = this.#taken;
    if (new URL(content.relay).origin !== new URL(url).origin) {
      throw new EngineFailure(
        'invalid_input',
        `Your other computer uses the relay ${content.relay}. Go back and choose that one. ${STILL_HERE}`,
      );
    }
    return content.secret;
  }

  forget(): void {
    this.#taken = null;
  }

  /** The same failure, with what it means for a code that has been taken. */
  explain(error: unknown): unknown {
    if (!this.#taken) return error;
    const code =
      error instanceof RelayUnreachable ? 'offline' : error instanceof RelayRefusal ? 'refused' : null;
    return code && error instanceof Error ? new EngineFailure(code, `${error.message} ${STILL_HERE}`) : error;
  }
}

function readCode(code: string): Uint8Array {
  const problem = findLinkCodeProblem(code);
  if (problem !== null) throw new EngineFailure('invalid_input', problem);
  return parseLinkCode(native, code);
}

async function fetchLink(id: string, secret: Uint8Array, url: string): Promise<LinkContent> {
  try {
    const { sealed } = await new RelayHttp(url).call('takeLink', { params: { id } });
    return openLink(native, secret, decodeBase64Url(sealed));
  } catch (error) {
    if (error instanceof RelayRefusal && error.code === 'not_found') {
      throw new EngineFailure(
        'not_found',
        'Nothing waits under this code at this relay. It may have been used, cancelled, or be older than ten minutes. Make a new one on your other computer.',
      );
    }
    if (error instanceof LinkOpenError) {
      throw new EngineFailure(
        'unverifiable',
        'The relay gave something that your other computer did not seal. Nothing was set up. Do not use this relay before you know why.',
      );
    }
    throw error;
  }
}
