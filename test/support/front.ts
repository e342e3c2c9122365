/**
 * The proxies of deploy/proxy in front of relays, as Debian has them: nginx and Caddy with the files as they are, but for
 * ports, certificate and the addresses of the relays.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http';
import { request } from 'node:https';
import { delimiter, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Certificate, makeCertificate } from './certificate.ts';
import { eventually, temporaryFolder } from './engine.ts';
import { freePort } from './free-port.ts';

export type FrontKind = 'nginx' | 'caddy';

/** The name in the examples. */
export const FRONT_HOST = 'relay.example';

// Accounts other than root lack sbin in their path.
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of a program; null if it is not installed. */
export function findProgram(name: string): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** The reason why a proxy cannot run here; null if it can. */
export function missingForFront(kind: FrontKind): string | null {
  if (process.platform !== 'linux') return `${kind} is tried on Linux alone`;
  const missing = [kind, 'openssl'].filter((name) => findProgram(name) === null);
  return missing.length === 0 ? null : `there is no ${missing.join(' and no ')} here`;
}

export interface FrontAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** The call of a test. */
export interface FrontCall {
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Source address of the call, on this computer. */
  from?: string;
}

interface Settings {
  host: string;
  relays: readonly string[];
  plainPort: number;
  port: number;
  certificate: Certificate;
  folder: string;
}

const exampleOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/proxy/${name}`, import.meta.url)), 'utf8');

/** Replaces text that must exist. @throws Error if it does not */
function replaced(text: string, part: string | RegExp, by: string): string {
  const changed = text.replace(part, () => by);
  if (changed === text) throw new Error(`the example has no ${part}`);
  return changed;
}

const KINDS: Record<
  FrontKind,
  {
    configure(settings: Settings): string;
    environment?(settings: Settings): Record<string, string>;
    command(file: string, folder: string): string[];
  }
> = {
  nginx: {
    configure({ relays, plainPort, port, certificate, folder }) {
      const servers = relays.map((relay) => `server ${relay} max_fails=0;`).join('\n');
      let site = replaced(exampleOf('nginx.conf'), 'server 127.0.0.1:8787 max_fails=0;', servers);
      site = replaced(site, 'listen 80;', `listen 127.0.0.1:${plainPort};`);
      site = replaced(site, 'listen 443 ssl', `listen 127.0.0.1:${port} ssl`);
      site = replaced(site, /^ *listen \[::\].*$/gm, '');
      site = replaced(site, /ssl_certificate .*$/m, `ssl_certificate ${certificate.certificateFile};`);
      site = replaced(site, /ssl_certificate_key .*$/m, `ssl_certificate_key ${certificate.keyFile};`);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join('\n');
      return [
        process.getuid?.() === 0 ? 'user root;' : '',
        `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;`,
        `events { worker_connections 768; } http { access_log off; ${temporary}\n${site} }`,
      ].join('\n');
    },
    command: (file, folder) => ['nginx', '-e', 'stderr', '-p', folder, '-c', file],
  },
  caddy: {
    configure({ plainPort, port, certificate }) {
      const { certificateFile, keyFile } = certificate;
      const own = `bind 127.0.0.1\n\ttls ${certificateFile} ${keyFile}`;
      const line = '{$WAXWING_HOST:relay.example} {';
      const site = replaced(exampleOf('Caddyfile'), line, `${line}\n\t${own}`);
      return `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n${site}`;
    },
    environment: ({ host, relays, port }) => ({
      // As in the example file, unless a test changes it.
      ...(host !== FRONT_HOST && { WAXWING_HOST: `${host}:${port}` }),
      WAXWING_RELAYS: relays.join(' '),
    }),
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
};

export class Front {
  readonly #folder = temporaryFolder();
  readonly #kind: FrontKind;
  readonly #relays: readonly string[];
  readonly #host: string;
  #child: ChildProcess | null = null;
  #printed = '';
  #certificate: Certificate | null = null;
  plainPort = 0;
  port: number;

  /**
   * @param relays their addresses, as in `127.0.0.1:8787`
   * @param own the name under which it is called, if not that of the example, and its port, if not any
   */
  constructor(kind: FrontKind, relays: readonly string[], own: { host?: string; port?: number } = {}) {
    this.#kind = kind;
    this.#relays = relays;
    this.#host = own.host ?? FRONT_HOST;
    this.port = own.port ?? 0;
  }

  /** The certificate, for a program that should trust it. */
  get certificateFile(): string {
    return this.#certificate?.certificateFile ?? '';
  }

  async start(): Promise<this> {
    const { path: folder } = this.#folder;
    this.plainPort = await freePort();
    this.port ||= await freePort();
    const certificate = makeCertificate(folder, this.#host);
    this.#certificate = certificate;
    const { configure, environment, command } = KINDS[this.#kind];
    const file = join(folder, 'proxy.conf');
    const { plainPort, port } = this;
    const settings = { host: this.#host, relays: this.#relays, plainPort, port, certificate, folder };
    writeFileSync(file, configure(settings));
    const [program = '', ...args] = command(file, folder);
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const env = { ...process.env, ...home, ...environment?.(settings) };
    const child = spawn(findProgram(program) ?? program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
    });
    await eventually(
      async () => {
        if (child.exitCode !== null) throw new Error(`${program} ended: ${this.#printed}`);
        return this.call('/healthz').then(
          ({ status }) => status,
          () => 0,
        );
      },
      (status) => status === 200,
    );
    return this;
  }

  /** Makes a call through it, with TLS and the name of the example. */
  async call(path: string, call: FrontCall = {}): Promise<FrontAnswer> {
    const { sending, answer } = this.begin(path, call);
    sending.end(call.body);
    return answer;
  }

  get #hostHeader(): string {
    return this.#host === FRONT_HOST ? FRONT_HOST : `${this.#host}:${this.port}`;
  }

  /** Begins a call; its caller sends the body. */
  begin(
    path: string,
    { method = 'GET', headers = {}, from }: FrontCall,
  ): { sending: ClientRequest; answer: Promise<FrontAnswer> } {
    const sending = request({
      host: '127.0.0.1',
      port: this.port,
      path,
      method,
      ca: this.#certificate?.text,
      servername: this.#host,
      headers: { host: this.#hostHeader, ...headers },
      ...(from !== undefined && { localAddress: from }),
    });
    const answer = answerOf(sending);
    // A call whose answer arrives before its whole body was sent may fail while sending the rest.
    sending.on('error', () => undefined);
    return { sending, answer };
  }

  /** Makes a call without TLS. */
  async callPlain(path: string): Promise<FrontAnswer> {
    const options = { host: '127.0.0.1', port: this.plainPort, path, headers: { host: FRONT_HOST } };
    const sending = plainRequest(options);
    sending.end();
    return answerOf(sending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    this.#folder[Symbol.dispose]();
  }
}

async function answerOf(sending: ClientRequest): Promise<FrontAnswer> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) };
}
