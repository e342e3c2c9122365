import type { FastifyReply, FastifyRequest } from 'fastify';

/** Calls a listener when the call is over or its caller has disconnected: at once if that was before, as while it waited for a turn. */
export function onGone(request: FastifyRequest, reply: FastifyReply, listener: () => void): void {
  if (reply.raw.closed || request.raw.socket.destroyed) listener();
  else reply.raw.once('close', listener);
}
