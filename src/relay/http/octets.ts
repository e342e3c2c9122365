/** Raw bytes in a request or an answer: a stream, never buffered whole. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export const OCTETS = 'application/octet-stream';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the body of this route is bytes instead of JSON. */
    octets?: boolean;
  }
}

/** Passes the unread bytes as the body on routes that accept bytes. */
export function acceptOctets(app: FastifyInstance, refuse: () => Error): void {
  app.addContentTypeParser(OCTETS, async (request: FastifyRequest, payload: Readable) => {
    if (!request.is404 && !request.routeOptions.config.octets) throw refuse();
    return payload;
  });
}

/** An answer of bytes. */
export class OctetAnswer {
  readonly stream: Readable | null;
  readonly headers: Readonly<Record<string, string>>;

  /** @param stream null for HEAD */
  constructor(stream: Readable | null, headers: Readonly<Record<string, string>>) {
    this.stream = stream;
    this.headers = headers;
  }
}
