/** A client for the running relay of a data folder. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { OperatorFailure, type OperatorFailureData, operatorFailureFrom } from '../operator/failure.ts';
import { OPERATOR_SENTENCES } from '../operator/sentences.ts';
import type { AdminResult } from './commands.ts';
import type { AdminAnswer, AdminArguments, AdminCommand } from './protocol.ts';
import { adminSocketPath } from './socket-path.ts';

/**
 * Runs one command on a relay.
 * @throws OperatorFailure if the relay does not run, or cannot run it
 */
export async function runAdminCommand<C extends AdminCommand>(
  dataDirectory: string,
  command: C,
  args: AdminArguments<C>,
): Promise<AdminResult<C>> {
  const answer = JSON.parse(await exchange(dataDirectory, { command, args })) as AdminAnswer;
  if ('failure' in answer) throw failureOf(answer.failure, dataDirectory);
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
    throw unreachable(error, dataDirectory);
  }
  throw new OperatorFailure('relay_stopped', { folder: dataDirectory });
}

function failureOf(data: OperatorFailureData, folder: string): OperatorFailure {
  // The running relay may have a different version.
  const isKnown = Object.hasOwn(OPERATOR_SENTENCES, data.reason);
  return isKnown ? operatorFailureFrom(data) : new OperatorFailure('relay_of_other_version', { folder });
}

function unreachable(error: unknown, folder: string): OperatorFailure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM') return new OperatorFailure('relay_forbidden', { folder });
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') {
    return new OperatorFailure('relay_not_running', { folder });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorFailure('relay_silent', { folder, reason });
}
