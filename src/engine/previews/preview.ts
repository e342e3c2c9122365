/** Previews of links, for the message of this person alone (docs/protocol.md, 'Link previews'). */
import { lookup } from 'node:dns';
import type { PageOfLink } from '../../bridge/shapes/link-preview.ts';
import { proxyTo } from '../../client/way-out.ts';
import { descriptionOf, titleOf } from '../../messaging/contents/previews.ts';
import { imageTypeOf } from '../../protocol/blob/image-type.ts';
import { getPublic, type Network } from './get-public.ts';
import { pageFacts } from './page-facts.ts';
import { isPublicAddress } from './public-address.ts';

/** Time for page and picture together, in milliseconds. */
const WITHIN = 5_000;

export const publicInternet: Network = {
  isPublic: isPublicAddress,
  lookup,
  hasProxy: async (origin) => (await proxyTo(origin)) !== null,
};

/** Makes previews one at a time: the next one ends the one before. */
export class Previews {
  readonly #network: Network;
  readonly #within: (signal: AbortSignal) => AbortSignal;
  #running = new AbortController();

  constructor(
    network: Network = publicInternet,
    within = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(WITHIN)]),
  ) {
    this.#network = network;
    this.#within = within;
  }

  /** @returns null for a page without a title, or none at all */
  async of(address: string): Promise<PageOfLink | null> {
    this.stop();
    const signal = this.#within(this.#running.signal);
    try {
      const page = await getPublic(address, 'text/html', this.#network, signal);
      if (!/^text\/html\s*(?:;|$)/.test(page.type)) return null;
      const facts = pageFacts(page.body, page.type);
      const title = titleOf(facts.title ?? '');
      if (title === '') return null;
      const image = facts.image === null ? null : await this.#image(facts.image, page.url, signal);
      return { title, description: descriptionOf(facts.description ?? '') || null, image };
    } catch {
      // For each reason, the message is sent without one.
      return null;
    }
  }

  stop(): void {
    this.#running.abort();
    this.#running = new AbortController();
  }

  /** The bytes of a picture in base64, which the page decodes. Null if it is none of the usual formats, or too long. */
  async #image(address: string, base: URL, signal: AbortSignal): Promise<string | null> {
    try {
      const { href } = new URL(address, base);
      const { body, isWhole } = await getPublic(
        href,
        'image/webp,image/png,image/jpeg',
        this.#network,
        signal,
      );
      return isWhole && imageTypeOf(body) !== null ? body.toString('base64') : null;
    } catch {
      return null;
    }
  }
}
