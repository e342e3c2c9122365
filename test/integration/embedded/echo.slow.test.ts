import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ECHO, openEchoIdentity, startEcho } from '../../../src/embedded/echo.ts';
import { type Bot, newBot, waiting } from '../../support/bots.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { TestRelay } from '../../support/relay.ts';

const ENTRY = fileURLToPath(new URL('../../support/echo-process.ts', import.meta.url));

/** The answers of @echo to someone. It answers in order: a last message is answered after all that it answers twice. */
async function answers(bot: Bot): Promise<string[]> {
  const texts: string[] = [];
  const collect = async () => {
    for (const { text, proof } of await waiting(bot)) texts.push(`${proof}: ${text?.split('\n').at(-1)}`);
    return texts;
  };
  await bot.client.send('@echo', 'the last');
  await eventually(collect, (all) => all.includes('signed: the last'));
  return texts.filter((text) => text !== 'signed: the last');
}

test('@echo greets once and repeats every message, signed, also those sent while it was offline', async () => {
  using folder = temporaryFolder();
  const identity = openEchoIdentity(folder.path);
  await using relay = await new TestRelay({ handleOwners: { [ECHO]: identity.address } }).start();
  const alice = await newBot(relay);
  let echo = await startEcho(identity, relay.url);
  expect(await alice.client.resolve('@echo')).toMatchObject({ displayName: 'Echo' });
  await alice.client.send('@echo', 'hello', { asRequest: true });
  const [greeting] = await eventually(
    () => waiting(alice),
    ({ length }) => length === 1,
  );
  expect(greeting?.proof).toBe('signed');
  expect(greeting?.text).toMatch(/^Hi! I’m a test program\. Your message arrived encrypted\..*hello$/s);
  await alice.client.send('@echo', 'again');
  expect(await answers(alice)).toEqual(['signed: again']);

  await echo.close();
  await alice.client.send('@echo', 'are you there?');
  echo = await startEcho(openEchoIdentity(folder.path), relay.url);
  expect(await answers(alice)).toEqual(['signed: are you there?']);
  await echo.close();
});

test('after a kill at any step @echo answers every message once', async () => {
  await using proxy = await new CuttingProxy().start();
  using folder = temporaryFolder();
  const handleOwners = { [ECHO]: openEchoIdentity(folder.path).address };
  await using relay = await new TestRelay({ publicUrl: proxy.url, handleOwners }).start();
  proxy.target = relay.url;
  const alice = await newBot(proxy);
  let child = await startProcess(folder.path, proxy.url);
  try {
    for (const [path, stage] of [
      ['/api/v1/inbox?', 'after'],
      ['/api/v1/keys/', 'after'],
      ['/api/v1/envelopes', 'before'],
      ['/api/v1/envelopes', 'after'],
      ['/api/v1/inbox/ack', 'before'],
      ['/api/v1/inbox/ack', 'after'],
    ] as const) {
      child.kill('SIGKILL');
      const text = `killed ${stage} ${path}`;
      await alice.client.send('@echo', text);
      const killed = Promise.withResolvers<void>();
      proxy.cuts = (exchange) => {
        if (!exchange.path.startsWith(path) || exchange.stage !== stage) return false;
        child.kill('SIGKILL');
        killed.resolve();
        return true;
      };
      child = await startProcess(folder.path, proxy.url);
      await killed.promise;
      proxy.cuts = () => false;
      child = await startProcess(folder.path, proxy.url);
      expect(await answers(alice)).toEqual([`signed: ${text}`]);
    }
  } finally {
    child.kill('SIGKILL');
  }
});

async function startProcess(folder: string, relayUrl: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [ENTRY, folder, relayUrl], { stdio: ['ignore', 'pipe', 'ignore'] });
  // It may be killed before it reports its start.
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}
