import { Server } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import type { AdminCommands } from '../../../../src/relay/admin/commands.ts';
import { startAdminServer } from '../../../../src/relay/admin/server.ts';

afterEach(() => void vi.restoreAllMocks());

test.each([
  ['ENOSPC', 'store_unavailable'],
  ['EDQUOT', 'store_unavailable'],
  ['EOPNOTSUPP', 'door_unusable'],
])('a socket that cannot be made because of %s is reported as %s', async (code, reason) => {
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    process.nextTick(() => this.emit('error', Object.assign(new Error(`listen ${code}`), { code })));
    return this;
  });
  const started = startAdminServer('/nonexistent/admin.sock', {} as AdminCommands, {} as FastifyBaseLogger);
  await expect(started).rejects.toMatchObject({ reason });
});
