/**
 * A relay with nonsensical, too large or incomplete answers: nothing breaks, and afterwards everything
 * continues.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../support/engine.ts';
import { newPair, PARTIES, type Party, waitForText } from '../../../support/hostile-relay/parties.ts';
import { HostileRelay, type Nonsense } from '../../../support/hostile-relay/proxy.ts';

const json = (response: ServerResponse, text: string, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);

const ANSWERS: Record<string, Nonsense> = {
  'nothing at all': (_, response) => response.end(),
  'an empty object': (_, response) => json(response, '{}'),
  'an empty list': (_, response) => json(response, '[]'),
  'a bare null': (_, response) => json(response, 'null'),
  'text that is no JSON': (_, response) => json(response, '<html>please log in</html>'),
  'JSON that is cut off': (_, response) => json(response, '{"envelopes": [{"id": "'),
  'JSON nested without end': (_, response) => json(response, '['.repeat(200_000)),
  'eight megabytes': (_, response) => json(response, `{"envelopes": "${'x'.repeat(8 * 1024 * 1024)}"}`),
  'a prototype': (_, response) =>
    json(response, '{"__proto__": {"ok": true}, "constructor": {"prototype": {}}}'),
  'a refusal without sense': (_, response) => json(response, '{"code": 7}', 403),
  'a status that is none': (_, response) => json(response, '{}', 299),
  'a redirect to itself': (request, response) =>
    response.writeHead(307, { location: request.url ?? '/' }).end(),
  'a redirect to someone else': (_, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:9/steal' }).end(),
  'a connection that is cut': (request) => request.socket.destroy(),
  'a body that is cut': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
    response.write('{"envelopes":', () => response.destroy());
  },
  'bytes that are no HTTP': (request) => request.socket.end('\0\0\0 nonsense \r\n\r\n'),
};

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  let ben: Party;
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    ({ ann, ben } = await newPair(hostile, newParty));
  });
  afterAll(() => hostile[Symbol.asyncDispose]());

  test('signs in to the called host only', async () => {
    await using phishing = await HostileRelay.start();
    phishing.lie(({ path, body }) =>
      path.endsWith('/auth/challenge') ? { ...(body as object), domain: 'bank.example' } : undefined,
    );
    await expect(ann.signUp(phishing.url)).rejects.toThrow(/bank\.example/);
    // The wallet signs no login at all; a device renews its session for the host that it calls, and no other.
    const logins = phishing.requests.filter(
      ({ path, body }) => path.endsWith('/auth/session') && body.includes('nonce'),
    );
    expect(logins).toEqual([]);
  });

  test.each(Object.entries(ANSWERS))(
    '%s breaks nothing: new messages are sent, and waiting ones arrive once',
    async (name, answer) => {
      const before = await ben.texts();
      const text = `through ${name}`;
      hostile.babble(() => true, answer);
      const requests = hostile.requests.length;
      const writing = ann.write(ben.address, text);
      const questions = await Promise.allSettled([...ann.query(), ben.texts()]);
      for (const [index, question] of questions.entries()) {
        // The app shows its stored state.
        if (question.status === 'fulfilled') expect(index).toBe(questions.length - 1);
        else expect(String(question.reason)).not.toMatch(/TypeError|undefined|ZodError/);
      }
      await eventually(
        async () => hostile.requests.length,
        (count) => count > requests,
      );
      hostile.answerTruthfully();
      await ann.texts();
      const written = await writing;
      if (written.state !== 'sent') await ann.retry(written);
      expect(await waitForText(ben, text)).toEqual([...before, text]);
    },
  );

  test('a relay that reports another account changes nothing', async () => {
    hostile.lie(({ path, body }) =>
      path.endsWith('/me') ? { ...(body as object), address: ben.address, handle: 'ben' } : undefined,
    );
    await ann.restart();
    const before = hostile.sent.length;
    // The restart ends it.
    const writing = ann.write(ben.address, 'in whose name?').catch(() => null);
    const requests = hostile.requests.length;
    await eventually(
      async () => hostile.requests.length,
      (count) => count > requests,
    );
    expect(hostile.sent.slice(before)).toEqual([]);
    hostile.answerTruthfully();
    await ann.restart();
    const written = await writing;
    if (written && written.state !== 'sent') await ann.retry(written);
    await ann.texts();
    expect((await waitForText(ben, 'in whose name?')).at(-1)).toBe('in whose name?');
  });
});
