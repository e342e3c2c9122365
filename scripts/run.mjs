/**
 * Running the project's tools on the project's own Node.
 */
import { spawn } from 'node:child_process';
import { environment, programOf, root } from './project.mjs';

/**
 * The end of a program. One that could not be started has only an error.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, error: Error | null }} End
 */

/**
 * Runs a command in the project's folder, its output shown, and passes signals on.
 * @param {string} command as programOf takes it
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} its exit code
 */
export async function run(command, args, options = {}) {
  const [file, ...before] = programOf(command);
  const { end } = start(file, [...before, ...args], options);
  return report(command, await end);
}

/**
 * The exit code for an end, once it was said if the program could not be started.
 * @param {string} name
 * @param {End} end
 */
export function report(name, { code, signal, error }) {
  if (error !== null) process.stderr.write(`${name} could not be run: ${error.message}\n`);
  return code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : 1);
}

/**
 * Starts an executable file in the project's folder, its output shown, and passes signals on until it ends.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {{ child: import('node:child_process').ChildProcess, end: Promise<End> }}
 */
export function start(file, args, options = {}) {
  const child = spawn(file, args, { cwd: root, env: environment, stdio: 'inherit', ...options });
  // The terminal sends Ctrl+C to both; to stop only this process means to stop the command.
  const pass = (signal) => child.kill(signal);
  const stay = () => undefined;
  // Two programs may run side by side, and the failure of one end this process.
  const abandon = () => child.kill();
  process.on('SIGINT', stay).on('SIGTERM', pass).on('exit', abandon);
  const watch = whenNpmEnds(() => process.emit('SIGTERM', 'SIGTERM'));
  const end = new Promise((resolve) => {
    const finish = (how) => {
      process.off('SIGINT', stay).off('SIGTERM', pass).off('exit', abandon);
      clearInterval(watch);
      resolve(how);
    };
    child.once('error', (error) => finish({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => finish({ code, signal, error: null }));
  });
  return { child, end };
}

/**
 * npm passes a SIGTERM to its shell alone. Where npm has started this process, the end of that shell is the end of it.
 * @param {() => void} stop
 */
function whenNpmEnds(stop) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const shell = process.ppid;
  return setInterval(() => {
    if (process.ppid !== shell) stop();
  }, 500);
}
