/**
 * Requests that no client library would make, byte by byte.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Problem } from './calls.ts';

export interface RawAnswer {
  status: number;
  head: string;
  body: Problem;
}

/** Sends these lines as a request and reads the answer to its end, as problem+json. */
export async function rawRequest(relay: string, lines: string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(relay);
  const socket = connect(Number(port), hostname);
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  const answer = await text(socket);
  const [head = '', rest = ''] = answer.split('\r\n\r\n');
  const json = rest.slice(rest.indexOf('{'), rest.lastIndexOf('}') + 1);
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(json) as Problem };
}
