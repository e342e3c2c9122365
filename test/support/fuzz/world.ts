/**
 * A relay with people, keys, groups and envelopes in it, for requests to be about.
 */
import type { DeviceList } from '../../../src/protocol/device-list.ts';
import type { Envelope } from '../../../src/protocol/schemas/envelopes.ts';
import type { SealKey } from '../../../src/protocol/seal-key.ts';
import { apiKeyOf, newGroup, newPerson, Person, type TestGroup } from '../person.ts';
import { ROOMY_RATES } from '../rates.ts';
import { TestRelay } from '../relay.ts';

const ENVELOPES = 40;
const SPARE_SESSIONS = 40;

export interface World {
  relay: TestRelay;
  ann: Person;
  ben: Person;
  annKey: string;
  group: TestGroup;
  /** Of somebody else, with a password. */
  closedGroup: TestGroup;
  botToken: string;
  /** Sessions that may be ended. */
  spareSessions: string[];
  /** From Ann to Ben, really sealed. */
  envelopes: Envelope[];
  deviceList: DeviceList;
  sealKey: SealKey;
}

/** Starts a relay whose clock stands still, so that nothing in it happens by itself. */
export async function createWorld(): Promise<World> {
  const start = Date.now();
  const relay = await new TestRelay({
    clock: () => start,
    limits: { rates: ROOMY_RATES, queueEnvelopes: 1e7, queueBytes: 1e11 },
  }).start();
  const ann = await newPerson(relay);
  const ben = await newPerson(relay);
  const group = await newGroup(ann, { name: 'Fuzz' }, [ben]);
  const closedGroup = await newGroup(ben, { name: 'Closed', password: 'open sesame' });
  const sealKey = ann.device.statement(ann.address, start);
  ann.device.rotate();
  ann.device.sequence = 2;
  const next = ann.device.statement(ann.address, start);
  const params = { deviceId: ann.device.id };
  await relay.call('putSealKey', { token: ann.token, params, body: { sealKey: next } });
  if (!ann.list || sealKey.key === next.key) throw new Error('Ann has published nothing');
  return {
    relay,
    ann,
    ben,
    annKey: await apiKeyOf(ann),
    group,
    closedGroup,
    botToken: await group.mint(),
    spareSessions: await Promise.all(
      Array.from({ length: SPARE_SESSIONS }, async () => (await new Person(relay).login()).token),
    ),
    envelopes: Array.from({ length: ENVELOPES }, (_, index) => ann.seal(ben, ben.device, `${index}`)),
    deviceList: ann.list,
    sealKey: next,
  };
}
