/**
 * Speaking to the running relay of a data folder.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AdminResult } from './commands.ts';
import { type AdminAnswer, type AdminArguments, type AdminCommand, AdminFailure } from './protocol.ts';
import { adminSocketPath } from './socket-path.ts';

/**
 * Has a relay do one command.
 * @throws AdminFailure if it does not run, or cannot; SocketPathTooLong
 */
export async function askRelay<C extends AdminCommand>(
  dataDirectory: string,
  command: C,
  args: AdminArguments<C>,
): Promise<AdminResult<C>> {
  const answer = JSON.parse(await exchange(dataDirectory, { command, args })) as AdminAnswer;
  if ('failure' in answer) throw new AdminFailure(answer.failure);
  return answer.result as AdminResult<C>;
}

async function exchange(dataDirectory: string, request: unknown): Promise<string> {
  const socket = connect(adminSocketPath(dataDirectory));
  try {
    await once(socket, 'connect');
    socket.write(`${JSON.stringify(request)}\n`);
    const line = await text(socket);
    if (line !== '') return line;
  } catch (error) {
    throw new AdminFailure(reasonOf(error, dataDirectory));
  }
  throw new AdminFailure(`The relay of ${dataDirectory} stopped before it answered.`);
}

function reasonOf(error: unknown, dataDirectory: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM') {
    return `Your account may not speak to the relay of ${dataDirectory}. Use the account that runs it.`;
  }
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') {
    return `No relay runs with the data in ${dataDirectory}. Start it with: waxwing relay --data ${dataDirectory}`;
  }
  return `The relay of ${dataDirectory} does not answer: ${error instanceof Error ? error.message : error}`;
}
