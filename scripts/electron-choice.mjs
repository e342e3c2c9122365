/**
 * Decides from facts about a machine if Electron can run there, and if its start has failed. Asks
 * nothing itself: electron.mjs does.
 */

/**
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {boolean} hasDisplay whether a window could be shown at all
 * @property {number | null} uid null where accounts have no numbers
 * @property {string | null} binary path of Electron's executable; null if it was not downloaded
 * @property {boolean} hasUserNamespaces whether Electron may make the user namespaces of its sandbox; only Linux asks
 * @property {Helper | null} helper what Chromium takes in their place; null if it is not there
 *
 * @typedef {{ path: string, uid: number, mode: number }} Helper
 *
 * Obstacles to Electron: the beginning of a sentence, and a sentence with the commands that would help.
 * @typedef {{ kind: 'display' | 'root' | 'binary' | 'sandbox' | 'start', why: string, advice: string, commands: string[] }} Obstacle
 */

/** Electron's own installer, in the project's folder. It prints the reason for a failure. */
export const INSTALLER = 'node_modules/electron/install.js';
const FETCH_ADVICE = 'Each start tries to fetch it. So does this command, which says what is in the way:';
const SANDBOX_ADVICE = 'These two commands let Electron start; then run npm start again:';

/**
 * The obstacle to Electron, or null for no known one.
 * @param {Machine} machine
 * @returns {Obstacle | null}
 */
export function obstacleTo({ platform, hasDisplay, uid, binary, hasUserNamespaces, helper }) {
  if (!hasDisplay) return obstacle('display', 'There is no display');
  // shell/app/electron_main_delegate.cc ends it then.
  if (platform === 'linux' && uid === 0) return obstacle('root', 'Electron does not start as root');
  if (binary === null) {
    return obstacle('binary', 'Electron’s binary is not installed', FETCH_ADVICE, [`node ${INSTALLER}`]);
  }
  if (platform !== 'linux' || hasUserNamespaces || isSetUp(helper)) return null;
  return noSandbox(helper);
}

/** @returns {Obstacle} */
function obstacle(kind, why, advice = '', commands = []) {
  return { kind, why, advice, commands };
}

function noSandbox(helper) {
  const why = 'This system does not let Electron make its sandbox';
  return obstacle('sandbox', why, SANDBOX_ADVICE, commandsFor(helper));
}

const SET_USER_ID = 0o4000;
const OTHERS_RUN = 0o001;

/** As in Chromium's sandbox/linux/suid/client/setuid_sandbox_host.cc. */
function isSetUp(helper) {
  const needed = SET_USER_ID | OTHERS_RUN;
  return helper !== null && helper.uid === 0 && (helper.mode & needed) === needed;
}

/** The remedy in Chromium's own message. */
function commandsFor(helper) {
  if (helper === null) return [];
  const path = `'${helper.path.replaceAll("'", "'\\''")}'`;
  return [`sudo chown root:root ${path}`, `sudo chmod 4755 ${path}`];
}

/**
 * Reports whether unprivileged programs can create user namespaces and use them.
 * @param {object} found
 * @param {string | null} found.max /proc/sys/user/max_user_namespaces
 * @param {string | null} found.clone /proc/sys/kernel/unprivileged_userns_clone, which Debian has added
 * @param {string | null} found.apparmor /proc/sys/kernel/apparmor_restrict_unprivileged_userns, which Ubuntu has added
 * @param {boolean | null} found.attempt whether unshare(1) could make one; null if it is not installed. Where
 *   Ubuntu restricts them, it may be let through, and Electron not.
 */
export function userNamespacesBy({ max, clone, apparmor, attempt }) {
  return max !== '0' && clone !== '0' && apparmor !== '1' && attempt !== false;
}

/** The longest start, in milliseconds. An app that ends later has shown its window. */
const START = 15_000;
/** Signals by which Chromium ends itself, or the system ends a crashed program. */
const CRASHES = new Set(['SIGTRAP', 'SIGABRT', 'SIGSEGV', 'SIGILL', 'SIGBUS', 'SIGFPE', 'SIGSYS']);
/** The first exit code by which Windows reports a broken program: an NTSTATUS that is an error. */
const FIRST_NTSTATUS_ERROR = 0xc000_0000;
const STATUS_BREAKPOINT = 0x8000_0003;
const STATUS_CONTROL_C_EXIT = 0xc000_013a;
/** Of shells and of the loader: it cannot be run, or a library is missing. */
const NOT_STARTED = new Set([126, 127]);
/** Exit codes of these signals behind another program. */
const SIGNAL_CODES = new Set([132, 133, 134, 135, 136, 139, 159]);
/** Lines of Chromium's log about fatal errors. */
const FATAL_LINE = /^\[[^\]]*\bFATAL:|Missing X server or \$DISPLAY|platform failed to initialize/m;
const SANDBOX = /SUID sandbox|No usable sandbox/;

/**
 * The reason for a failed start, judged by its end; null if it started. It did start when the app reports what is
 * wrong and ends itself.
 * @param {import('./run.mjs').End} end
 * @param {number} lasted in milliseconds
 * @param {string} errors the last of its standard error
 * @param {Helper | null} helper
 * @returns {Obstacle | null}
 */
export function obstacleBy(end, lasted, errors, helper) {
  if (!hasFailedToStart(end, lasted, errors)) return null;
  return SANDBOX.test(errors) ? noSandbox(helper) : obstacle('start', 'Electron could not start');
}

function hasFailedToStart({ code, signal, error }, lasted, errors) {
  if (error !== null) return true;
  if (lasted > START || code === 0 || code === STATUS_CONTROL_C_EXIT) return false;
  if (code === null) return CRASHES.has(signal);
  const isBroken = code === STATUS_BREAKPOINT || code >= FIRST_NTSTATUS_ERROR;
  return isBroken || NOT_STARTED.has(code) || SIGNAL_CODES.has(code) || FATAL_LINE.test(errors);
}

/**
 * The message when the app opens in the browser instead.
 * @param {Obstacle} obstacle
 */
export function fallbackText({ why, advice, commands }) {
  const sentence = `${why}: Waxwing opens as a page of your browser instead.\n`;
  if (commands.length === 0) return sentence;
  const lines = commands.map((command) => `  ${command}\n`).join('');
  return `${sentence}${advice}\n\n${lines}\n`;
}

/** Variables in which npm passes on an .npmrc, package.json and the environment: Electron's documentation, 'Mirror'. */
const MIRROR = /^(?:npm_config_|npm_package_config_)?electron_mirror$/i;

/**
 * Environment for Electron's installer to reach its server.
 * @param {Record<string, string | undefined>} environment
 * @returns {{ isDirect: boolean, additions: Record<string, string> }} whether it goes to github.com without a proxy, and
 *   what it needs in its environment to take the proxy
 */
export function routeBy(environment) {
  const set = Object.entries(environment).filter(([, value]) => value);
  const settingOf = (name) => set.find(([each]) => each.toLowerCase() === name)?.[1];
  const hasMirror = set.some(([name]) => MIRROR.test(name));
  const proxy =
    settingOf('https_proxy') ?? settingOf('npm_config_https_proxy') ?? settingOf('npm_config_proxy');
  if (proxy === undefined) return { isDirect: !hasMirror, additions: {} };
  return { isDirect: false, additions: { ELECTRON_GET_USE_PROXY: 'true', HTTPS_PROXY: proxy } };
}
