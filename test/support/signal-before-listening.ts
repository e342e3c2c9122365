/**
 * Loaded before a program (`--import`): the program gets SIGTERM right before its first server listens, as from a supervisor that
 * stops it during its start. The server listens once the program has handled the signal.
 */
import { Server } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const { listen } = Server.prototype;

if (isMainThread)
  Server.prototype.listen = function (this: Server, ...options: unknown[]) {
    Server.prototype.listen = listen;
    const before = process.listenerCount('SIGTERM');
    process.kill(process.pid, 'SIGTERM');
    // The program listens for the first signal only.
    const continueWhenHandled = () => {
      if (process.listenerCount('SIGTERM') === before) setImmediate(continueWhenHandled);
      else Reflect.apply(listen, this, options);
    };
    continueWhenHandled();
    return this;
  };
