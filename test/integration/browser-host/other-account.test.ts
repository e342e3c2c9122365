/**
 * B8: another account of this computer can reach the loopback address, and receives only public data.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestHost } from '../../support/browser-host.ts';

/** The Unix account that owns no files. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Only root can switch accounts, and a Node in a person's own folder is closed to others. */
const canBeNobody =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', ''], { ...NOBODY, cwd: '/' }).status === 0;

const host = new TestHost();
beforeAll(() => host.start());
afterAll(() => host[Symbol.asyncDispose]());

/** Runs as the account `nobody`, with this process's id, the host's address and its data folder. Prints its results. */
const INTRUDER = `
  import { readFileSync, readdirSync } from 'node:fs';
  const [, pid, origin, folder] = process.argv;
  const read = (path) => { try { return String(readFileSync(path).length) } catch (error) { return error.code } };
  const list = (path) => { try { return readdirSync(path).join() } catch (error) { return error.code } };
  const exchange = async (token) => {
    const headers = { 'content-type': 'application/json', origin };
    const response = await fetch(origin + '/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
    return response.status;
  };
  const say = (first) => new Promise((resolve) => {
    const heard = [];
    const socket = new WebSocket(origin.replace('http', 'ws') + '/bridge', { headers: { origin } });
    socket.onopen = () => {
      socket.send(first);
      socket.send(JSON.stringify({ t: 'q', m: 'call', a: ['app.state', {}], i: '1' }));
    };
    socket.onmessage = ({ data }) => heard.push(String(data));
    socket.onclose = ({ code }) => resolve({ code, heard });
    socket.onerror = () => resolve({ code: 0, heard });
  });
  const guesses = ['', 'A'.repeat(43), '__proto__'];
  console.log(JSON.stringify({
    uid: process.getuid(),
    page: (await fetch(origin)).status,
    key: read(folder + '/database.key'),
    messages: list(folder + '/engine'),
    memory: ['environ', 'mem', 'maps'].map((name) => read('/proc/' + pid + '/' + name)),
    descriptors: list('/proc/' + pid + '/fd'),
    commandLine: readFileSync('/proc/' + pid + '/cmdline', 'utf8'),
    exchanged: await Promise.all(guesses.map(exchange)),
    sockets: await Promise.all(guesses.map(say)),
  }));
`;

test.skipIf(!canBeNobody)(
  'B8: the account nobody gets no bearer, no answer and no file (needs root, to become nobody)',
  async () => {
    // An unused link that no other account has seen.
    const token = host.newToken();
    // A folder that other accounts may read.
    chmodSync(host.folder, 0o755);
    expect(existsSync(`${host.folder}/database.key`) && existsSync(`${host.folder}/engine`)).toBe(true);
    const bearer = await host.newBearer();
    const args = ['--input-type=module', '-e', INTRUDER, `${process.pid}`, host.origin, host.folder];
    const child = spawn(process.execPath, args, {
      ...NOBODY,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(complaint).toBe('');
    const got = JSON.parse(stdout) as Record<string, unknown>;
    expect(got).toMatchObject({
      uid: NOBODY.uid,
      // The files of the interface are the same for all accounts.
      page: 200,
      key: 'EACCES',
      messages: 'EACCES',
      exchanged: [403, 403, 403],
      sockets: Array(3).fill({ code: 4401, heard: [] }),
    });
    if (process.platform === 'linux') {
      expect(got.memory).toEqual(['EACCES', 'EACCES', 'EACCES']);
      expect(got.descriptors).toBe('EACCES');
    }
    expect(stdout).not.toContain(token);
    expect(stdout).not.toContain(bearer);
    expect(host.called).toEqual([]);
    expect((await host.exchange(token)).status, 'the link still works, once').toBe(200);
  },
);
