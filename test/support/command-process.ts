/**
 * Runs commands one after the other, each as if the process were its own: with its arguments, environment, standard
 * input and output. Each is requested by a message, and answered when it would no longer keep a process alive.
 */
import { Readable } from 'node:stream';
import { ALL_COMMANDS } from '../../src/cli/all-commands.ts';
import { main } from '../../src/cli/main.ts';

/** A requested command. */
export interface CommandRequest {
  args: string[];
  /** The whole environment. */
  env: NodeJS.ProcessEnv;
  input: string | Uint8Array;
}

/** Result of a command. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function run({ args, env, input }: CommandRequest): Promise<Outcome> {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const stdin = Readable.from(input.length > 0 ? [Buffer.from(input)] : [], { objectMode: false });
  Object.defineProperty(process, 'stdin', { configurable: true, value: stdin });
  process.exitCode = 0;
  using _ = signalsForgotten();
  using stdout = gathered(process.stdout);
  using stderr = gathered(process.stderr);
  await main(ALL_COMMANDS);
  await idle();
  return { code: Number(process.exitCode), stdout: stdout.text, stderr: stderr.text };
}

/** Collects the output to a stream, until it is disposed of. */
function gathered(stream: NodeJS.WriteStream): Disposable & { text: string } {
  const { write } = stream;
  const before = stream.listeners('error');
  const collected = {
    text: '',
    [Symbol.dispose]() {
      stream.write = write;
      // Each command listens for a reader who stops reading.
      for (const each of stream.listeners('error'))
        if (!before.includes(each)) stream.off('error', each as () => void);
    },
  };
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    collected.text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const callback = more.find((each) => typeof each === 'function');
    if (callback) process.nextTick(callback);
    return true;
  };
  return collected;
}

/** Removes a command's signal handlers from this process. */
function signalsForgotten(): Disposable {
  return {
    [Symbol.dispose]() {
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
    },
  };
}

/** Waits until only the messages keep this process alive: a command ends by itself. */
async function idle(): Promise<void> {
  do {
    await new Promise((resolve) => setTimeout(resolve, 2).unref());
  } while (process.getActiveResourcesInfo().length > atRest);
}

process.on('message', async (request: CommandRequest) => process.send?.(await run(request)));
process.on('disconnect', () => process.exit());
// Includes the channel of the messages.
const atRest = process.getActiveResourcesInfo().length;
