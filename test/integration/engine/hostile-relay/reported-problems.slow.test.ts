/**
 * Reports about invalid keys in the interface.
 */
import { expect, test } from 'vitest';
import type { AddressKeys } from '../../../../src/protocol/schemas/directory.ts';
import { callEngine } from '../../../support/engine.ts';
import { newHonest, write } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, TestDevice } from '../../../support/person.ts';

test('unverifiable and withheld keys are shown in the details of a person', async () => {
  await using hostile = await HostileRelay.start();
  const ann = await newHonest(hostile, 'ann');
  const mallory = await newPerson(hostile.relay);
  const { address } = mallory;
  const details = () => callEngine(ann.engine, 'people.details', { address });
  await mallory.publishDevices([mallory.device, new TestDevice()]);

  hostile.lie(({ path, status, body }) => {
    if (!path.includes(`/keys/${address}`) || status !== 200) return undefined;
    const keys = body as AddressKeys;
    return { ...keys, deviceList: { ...keys.deviceList, sequence: 7 } };
  });
  expect((await details()).problem).toMatchObject({
    kind: 'unproven',
    failure: { code: 'keys_unproven' },
  });
  hostile.answerTruthfully();
  expect(await details()).toMatchObject({ problem: null, listSequence: 2 });

  hostile.lie((passing) => {
    if (!passing.path.includes(`/keys/${address}`)) return undefined;
    passing.status = 404;
    const problem = { title: 'Not found', detail: 'Nobody', requestId: 'x' };
    return { ...problem, type: 'about:blank', status: 404, code: 'not_found' };
  });
  await write(ann, { ...ann, address, handle: 'mallory' }, 'are you there?');
  await ann.engine.close();
  await ann.engine.start();
  expect(await details()).toMatchObject({ listSequence: 2 });
});
