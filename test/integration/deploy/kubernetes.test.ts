/**
 * The manifests of deploy/kubernetes, checked against the schemas that Kubernetes publishes (`kubernetes-models`), against
 * its types for fields that do not exist, and against the relay: options, paths and the account of the image.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../../support/engine.ts';
import { waxwing } from '../../support/waxwing-command.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'deploy/kubernetes');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

const manifests = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS() as Manifest),
);

function theOnly<T>(kind: string): Manifest & T {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind);
  expect(others).toEqual([]);
  return found as Manifest & T;
}

type Models = Record<string, new (data: Manifest) => { validate(): void }>;

async function validate(manifest: Manifest): Promise<void> {
  const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Models;
  const Model = models[manifest.kind];
  if (!Model) throw new Error(`there is no ${manifest.kind} in ${manifest.apiVersion}`);
  new Model(manifest).validate();
}

test('each manifest fits its schema', async () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([
    'Deployment',
    'Ingress',
    'Namespace',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Secret',
    'Service',
  ]);
  for (const manifest of manifests) await validate(manifest);
  const budget = theOnly<{ spec: object }>('PodDisruptionBudget');
  const broken = { ...budget, spec: { ...budget.spec, maxUnavailable: true } };
  await expect(validate(broken)).rejects.toThrow();
});

test('no manifest has a field that does not exist', () => {
  using project = temporaryFolder();
  mkdirSync(join(project.path, 'node_modules'));
  for (const name of ['kubernetes-models', '@kubernetes-models'])
    symlinkSync(join(root, 'node_modules', name), join(project.path, 'node_modules', name), 'junction');
  const typed = manifests.map(
    (manifest, index) =>
      `import type { I${manifest.kind} as K${index} } from 'kubernetes-models/${manifest.apiVersion}';\n` +
      `export const m${index}: K${index} = ${JSON.stringify(manifest)};\n`,
  );
  const wrong = `// @ts-expect-error there is no such field\nexport const wrong: K0 = { ...{}, apiVersion: 'v1', kind: 'Namespace', metadta: {} };\n`;
  const first = manifests.findIndex(({ kind }) => kind === 'Namespace');
  writeFileSync(join(project.path, 'manifests.ts'), typed.join('') + wrong.replace('K0', `K${first}`));
  writeFileSync(join(project.path, 'package.json'), '{"type":"module"}');
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(join(project.path, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  let stdout = '';
  try {
    execFileSync(process.execPath, [compiler, '-p', project.path, '--singleThreaded'], { encoding: 'utf8' });
  } catch (error) {
    stdout = (error as { stdout: string }).stdout;
  }
  expect(stdout).toBe('');
});

interface Probe {
  httpGet: { path: string; port: string; httpHeaders: { name: string; value: string }[] };
  periodSeconds: number;
  failureThreshold?: number;
}
interface Container {
  args: string[];
  env: { name: string; valueFrom: { secretKeyRef: { name: string; key: string } } }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
}
interface Deployment {
  spec: {
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        securityContext: { runAsUser: number };
        terminationGracePeriodSeconds: number;
        containers: [Container];
      };
    };
  };
}

const { template } = theOnly<Deployment>('Deployment').spec;
const [container] = template.spec.containers;
const optionOf = (name: string) => container.args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1];

test('the names that manifests use for each other exist', () => {
  const secret = theOnly<{ stringData: Record<string, string> }>('Secret');
  for (const { valueFrom } of container.env) {
    expect(valueFrom.secretKeyRef.name).toBe(secret.metadata.name);
    expect(Object.keys(secret.stringData)).toContain(valueFrom.secretKeyRef.key);
  }
  const { labels } = template.metadata;
  expect(theOnly<{ spec: { selector: object } }>('Service').spec.selector).toEqual(labels);
  const budget = theOnly<{ spec: { selector: { matchLabels: object } } }>('PodDisruptionBudget');
  expect(budget.spec.selector.matchLabels).toEqual(labels);
  expect(policy.podSelector.matchLabels).toEqual(labels);
  expect(Number(optionOf('trusted-proxy')?.split('/')[1])).toBeGreaterThanOrEqual(16);
  const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
  expect(ports).toEqual({ http: Number(optionOf('port')), metrics: Number(optionOf('metrics-port')) });
});

interface Policy {
  podSelector: { matchLabels: object };
  policyTypes: string[];
  ingress: { ports: { port: string; protocol: string }[]; from: object[] }[];
  egress: { ports: { port: number; protocol: string }[]; to: object[] }[];
}
const policy = theOnly<{ spec: Policy }>('NetworkPolicy').spec;

/** The pods with a name, in a namespace. */
const podsIn = (namespace: string, label: string, name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  podSelector: { matchLabels: { [label]: name } },
});

test('only the ingress controller calls the relay, and only the scraper its metrics', () => {
  // An empty selector, or a policy without the type, would admit each pod that the relay believes as its proxy.
  const name = 'app.kubernetes.io/name';
  expect(policy.policyTypes).toContain('Ingress');
  expect(policy.ingress).toEqual([
    { from: [podsIn('ingress-nginx', name, 'ingress-nginx')], ports: [{ port: 'http', protocol: 'TCP' }] },
    { from: [podsIn('monitoring', name, 'prometheus')], ports: [{ port: 'metrics', protocol: 'TCP' }] },
  ]);
  expect(container.ports.map((port) => port.name)).toEqual(['http', 'metrics']);
});

test('the relay calls only database, bucket and DNS', () => {
  const { stringData } = theOnly<{ stringData: Record<string, string> }>('Secret');
  const database = Number(new URL(stringData['database-url'] ?? '').port || 5432);
  const bucket = new URL(container.args.find((arg) => arg.startsWith('--blobs='))?.slice(8) ?? '');
  const endpoint = new URL(bucket.searchParams.get('endpoint') ?? '');
  expect(policy.policyTypes).toContain('Egress');
  const [toDatabase, toBucket, toNames, ...others] = policy.egress;
  expect(others).toEqual([]);
  // One address: no other database of the network can be reached.
  expect(toDatabase).toEqual({
    to: [{ ipBlock: { cidr: expect.stringMatching(/\/32$/) } }],
    ports: [{ port: database, protocol: 'TCP' }],
  });
  const privateRanges = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
  expect(toBucket).toEqual({
    to: [{ ipBlock: { cidr: '0.0.0.0/0', except: privateRanges } }],
    ports: [{ port: Number(endpoint.port || 443), protocol: 'TCP' }],
  });
  expect(toNames).toEqual({
    to: [podsIn('kube-system', 'k8s-app', 'kube-dns')],
    ports: ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol })),
  });
});

test('probes use a name that the relay answers to, and draining is longer than their period', () => {
  const host = new URL(container.args.find((arg) => arg.startsWith('--public-url='))?.slice(13) ?? '').host;
  for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe])
    expect(httpGet.httpHeaders).toEqual([{ name: 'Host', value: host }]);
  const { periodSeconds, failureThreshold = 3 } = container.readinessProbe;
  const drain = Number(optionOf('drain'));
  expect(drain).toBeGreaterThan(periodSeconds * failureThreshold);
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 10);
});

test('the image runs as the account of the manifest, and the relay accepts its options', async () => {
  const image = readFileSync(join(root, 'deploy/container/Containerfile'), 'utf8');
  const { runAsUser } = template.spec.securityContext;
  expect(image).toContain(`USER ${runAsUser}:${runAsUser}\n`);
  const { code, stdout } = await waxwing(['relay', '--help']);
  expect(code).toBe(0);
  for (const arg of container.args.slice(1)) expect(stdout).toContain(arg.split('=')[0]);
});
