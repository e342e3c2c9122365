/**
 * A relay with data of each kind, and its people's view of it: unchanged after each move of the data.
 */
import { runAdminCommand } from '../../src/relay/admin/client.ts';
import { apiKeyOf, newPerson, type Person, TestDevice } from './person.ts';
import type { TestRelay } from './relay.ts';
import { TestRoster } from './relay-rosters.ts';
import { readBlob, type TestBlob, uploadBlob } from './test-blob.ts';

export class Population {
  readonly ann: Person;
  readonly ben: Person;
  readonly cat: Person;
  readonly group: TestRoster;
  readonly blob: TestBlob;
  readonly apiKey: string;
  readonly groupToken: string;

  private constructor(parts: Omit<Population, 'seen' | 'send'>) {
    this.ann = parts.ann;
    this.ben = parts.ben;
    this.cat = parts.cat;
    this.group = parts.group;
    this.blob = parts.blob;
    this.apiKey = parts.apiKey;
    this.groupToken = parts.groupToken;
  }

  /** People, and their actions. @param relay that was started with `admin` */
  static async at(relay: TestRelay): Promise<Population> {
    const [ann, ben, cat] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
    const { token } = ann;
    await relay.call('putHandle', { token, body: { handle: 'ann_moves' } });
    await relay.call('putHandle', { token: ben.token, body: { handle: 'ben_moves', public: false } });
    const apiKey = await apiKeyOf(ann);
    // A device that comes and goes again leaves a gap at the end of the keys of queues.
    const tablet = new TestDevice();
    await cat.publishDevices([cat.device, tablet]);
    await cat.publishDevices([cat.device]);
    const group = await TestRoster.begin(ann, { name: 'Movers' }, [ben, cat]);
    await group.leave(cat);
    const groupToken = await group.createToken();
    const envelopes = [ann, ben].map((to) => {
      const { asRequest: _, ...copy } = ann.seal(to, to.device, 'to all movers');
      return copy;
    });
    await relay.call('sendGroupEnvelopes', { token: groupToken, params: group.params, body: { envelopes } });
    const blob = await uploadBlob(relay, token);
    await runAdminCommand(relay.folder.path, 'invite', {
      uses: 3,
      expires: new Date(relay.now() + 86_400_000).toISOString(),
    });
    const people = new Population({ ann, ben, cat, group, blob, apiKey, groupToken });
    await people.send(relay, ['first', 'second']);
    const [first] = await ben.inbox();
    const ids = [first?.id ?? ''];
    await relay.call('acknowledge', { token: ben.token, body: { device: ben.device.id, ids } });
    return people;
  }

  /** Ann writes to Ben. */
  async send(relay: TestRelay, texts: readonly string[]): Promise<void> {
    const { ann, ben } = this;
    const envelopes = texts.map((text) => ann.seal(ben, ben.device, text));
    await relay.call('sendEnvelopes', { token: ann.token, body: { envelopes } });
  }

  /** All data that the accounts can read from a relay with their credentials. */
  async seen(relay: TestRelay): Promise<object> {
    const { ann, ben, cat, group, blob, apiKey, groupToken } = this;
    const of = { token: ann.token };
    const inbox = ({ token, device }: Person) =>
      relay.call('getInbox', { token, query: { device: device.id, limit: 500 } });
    const { body: shown } = await relay.call('getGroup', { ...of, params: group.params });
    const answers = await Promise.all([
      relay.call('getMe', of),
      relay.call('getMe', { token: apiKey }),
      relay.call('getMe', { token: groupToken }),
      ...[ann, ben, cat].map(({ address }) => relay.call('getKeys', { ...of, params: { address } })),
      relay.call('getKeyHistory', { ...of, params: { address: cat.address }, query: {} }),
      ...[ann, ben, cat].map(inbox),
      relay.call('searchHandles', { ...of, query: { q: 'ann_m' } }),
      relay.call('searchGroups', { ...of, query: { q: 'overs' } }),
      relay.call('getRoster', { ...of, params: group.params, query: {} }),
    ]);
    const { body: keys } = await relay.call('listApiKeys', { ...of, query: {} });
    // The time of last use is stored once a minute, also for reads of this function.
    const withoutUse = <T extends { lastUsedAt: unknown }>({ lastUsedAt: _, ...rest }: T) => rest;
    return {
      answers: answers.map(({ body }) => body),
      apiKeys: keys.apiKeys.map(withoutUse),
      group: { ...shown, botTokens: shown.botTokens?.map(withoutUse) },
      file: (await readBlob(relay, ann.token, blob.id)).bytes.toString('base64'),
    };
  }
}
