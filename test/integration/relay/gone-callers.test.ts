/** Callers who disconnect while their call waits for its turn. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../../support/engine.ts';
import { newPerson } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

test('the room of calls is returned whose callers disconnect before their turn', async () => {
  await using relay = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
  const ann = await newPerson(relay);
  const long = 'x'.repeat(60_000);
  for (let batch = 0; batch < 5; batch++) {
    const envelopes = Array.from({ length: 8 }, () => ann.seal(ann, ann.device, long));
    await relay.call('sendEnvelopes', { token: ann.token, body: { envelopes } });
  }
  const query = { device: ann.device.id };
  const head = `GET /api/v1/inbox?device=${ann.device.id} HTTP/1.1\r\nHost: ${relay.domain}\r\nAuthorization: Bearer ${ann.token}\r\n\r\n`;
  for (let turns = 0; turns < 40; turns++) {
    const socket = connect(relay.running.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(head);
    for (let turn = 0; turn < turns % 4; turn++) await setImmediate();
    socket.resetAndDestroy();
  }
  await eventually(
    async () => (await relay.request('getInbox', { token: ann.token, query })).status,
    (status) => status === 200,
  );
  const { body: page } = await relay.call('getInbox', { token: ann.token, query });
  expect(page.envelopes.length).toBeGreaterThan(0);
});
