/**
 * Running the project's tools on the project's own Node.
 */
import { spawn } from 'node:child_process';
import { environment, root } from './setup.mjs';

/**
 * Runs a command in the project's folder, its output shown, and passes signals on.
 * @param {string} command a name on the project's PATH
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} its exit code
 */
export function run(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env: environment,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  // The terminal sends Ctrl+C to both; to stop only this process means to stop the command.
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', () => undefined).on('SIGTERM', pass);
  const watch = whenNpmEnds(() => process.emit('SIGTERM', 'SIGTERM'));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${command} could not be run: ${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', pass);
      clearInterval(watch);
      resolve(code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : 1));
    });
  });
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
