/** `waxwing demo`: the whole flow of the specification, on a real relay started for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { toChecksumAddress } from '../../protocol/address.ts';
import { startRelay } from '../../relay/index.ts';
import { showDirectMessages } from '../demo/direct.ts';
import { showGroup } from '../demo/group.ts';
import { enter } from '../demo/person.ts';
import { Transcript } from '../demo/transcript.ts';

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description(
      'run a demonstration: people, a group and a bot exchange sealed messages through a temporary relay',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing demo
  $ waxwing demo --json | jq .steps[].outcome

The relay and its data are deleted at the end.`,
    )
    .action(runDemo);
}

async function runDemo(options: { json?: true }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-demo-'));
  const relay = await startRelay({ dataDirectory: folder, name: 'Demo' });
  try {
    await walkThrough(new Transcript(options.json === true), relay.url);
  } finally {
    await relay.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function walkThrough(transcript: Transcript, url: string): Promise<void> {
  await transcript.heading(`A relay listens on ${url}`);
  const [alice, bob, carol] = await Promise.all([
    enter(url, 'Alice', 'alice_demo'),
    enter(url, 'Bob', 'bob_demo'),
    enter(url, 'Carol', 'carol_demo'),
  ]);
  for (const { name, identity } of [alice, bob, carol]) {
    await transcript.line(`${name}, @${name.toLowerCase()}_demo`, toChecksumAddress(identity.address));
  }
  await showDirectMessages(transcript, alice, bob);
  await showGroup(transcript, alice, [bob, carol]);
  await Promise.all([alice, bob, carol].map(({ inbox }) => inbox.return()));
  await transcript.end(
    'Every message arrived sealed, verified and exactly once. The relay refused the invalid calls.',
  );
}
