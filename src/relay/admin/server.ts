/**
 * The operator's socket of a running relay. Everyone who may open it may read the database anyway; no credential of
 * the API opens it, and it is on no network.
 */
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { FastifyBaseLogger } from 'fastify';
import { OperatorFailure } from '../operator/failure.ts';
import { StoreUnavailable } from '../store/records.ts';
import type { AdminCommands } from './commands.ts';
import { ADMIN_REQUESTS, type AdminAnswer, AdminRequest } from './protocol.ts';

/**
 * Listens on the socket. Only for a caller who has locked the data folder: an existing socket then belongs to a
 * killed process, and is replaced.
 * @returns a function that closes the socket
 * @throws OperatorFailure door_unusable if no socket can be created there; store_unavailable if the disk is full
 */
export async function startAdminServer(
  path: string,
  commands: AdminCommands,
  log: FastifyBaseLogger,
): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    createInterface({ input: socket }).once('line', async (line) => {
      socket.end(`${JSON.stringify(await answer(commands, line, log))}\n`);
    });
  });
  const isPipe = process.platform === 'win32';
  if (!isPipe) rmSync(path, { force: true });
  server.listen(path);
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isFull =
      error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code));
    throw new OperatorFailure(isFull ? 'store_unavailable' : 'door_unusable', { reason });
  }
  if (!isPipe) chmodSync(path, 0o600);
  return async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
}

async function answer(commands: AdminCommands, line: string, log: FastifyBaseLogger): Promise<AdminAnswer> {
  try {
    const { command, args } = AdminRequest.parse(JSON.parse(line));
    const run = commands[command] as (args: unknown) => Promise<unknown>;
    const result = await run(ADMIN_REQUESTS[command].parse(args));
    log.info({ command }, 'admin');
    return { result };
  } catch (error) {
    if (error instanceof OperatorFailure) return { failure: error.data };
    log.error({ err: error }, 'admin command failed');
    if (error instanceof StoreUnavailable) {
      return { failure: { reason: 'store_unavailable', parameters: { reason: error.message } } };
    }
    return { failure: { reason: 'relay_failed', parameters: {} } };
  }
}
