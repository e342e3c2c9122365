import { Failure } from '../../../src/base/failure.ts';
import { requirePassphrase } from '../../../src/base/require-passphrase.ts';
import type { ApiKey } from '../../../src/bridge/shapes/developer-access.ts';
import type { DeviceChange } from '../../../src/bridge/shapes/device.ts';
import type { LockState } from '../../../src/bridge/shapes/lock-state.ts';
import { toLabel } from '../../../src/protocol/label.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { DAY, MINUTE, NOW } from '../people.ts';
import { OPEN, type World } from '../world.ts';

/** The passphrase of every scene that is locked. */
export const PASSPHRASE = 'nobody guesses this one';

/** Answers about the machine: host, lock, settings, updates, devices, API keys and the connection. */
export function hostAnswers(
  world: World,
  emit: Emit,
): AnswersOf<
  | 'host'
  | 'diagnostics'
  | 'lock'
  | 'clipboard'
  | 'updates'
  | 'settings'
  | 'devices'
  | 'developer'
  | 'connection'
> {
  const setLock = (lock: LockState) => {
    world.lock = lock;
    emit('lock.changed', lock);
    return lock;
  };
  const open = (passphrase: string | null) => {
    if (passphrase !== null && passphrase !== PASSPHRASE) {
      const { failedAttempts } = world.lock;
      setLock({ ...world.lock, failedAttempts: failedAttempts + 1 });
      throw new Failure('passphrase_wrong');
    }
    return setLock(OPEN);
  };
  const choose = (passphrase: string) => requirePassphrase(passphrase, [world.me.handle ?? '']);
  const protect = (kind: 'passphrase' | 'os-key-store') => {
    world.host.keyProtection = { kind };
    return setLock(OPEN);
  };

  /** Of devices that are not there any more. */
  const openChanges = () =>
    world.changes.filter(({ device }) => !world.devices.some(({ id }) => id === device.id));

  return {
    'host.info': () => world.host,
    'host.desktop': () => world.desktop,
    'host.attend': () => ({}),
    'host.restart': () => ({}),
    'host.receiveLink': () => {
      const { link } = world;
      world.link = world.laterLinks.shift() ?? null;
      return { link };
    },
    'host.firstLinks': () => world.firstLinks,
    'host.setFirstLinks': (links) => {
      world.firstLinks = links;
      return {};
    },
    'diagnostics.text': () => ({ text: 'waxwing: 0.1.0\nlog:\n' }),
    'diagnostics.report': () => ({ id: 'E-7F3K' }),
    'diagnostics.openLogs': () => ({
      isOpened: world.host.kind === 'electron',
      path: '/home/robin/.local/share/waxwing/logs',
    }),
    'diagnostics.counts': () => ({
      relay: 'other',
      connection: world.connection.state,
      problem: world.connection.problem?.code ?? null,
      version: 1,
      bytes: 0,
      contacts: world.people.length,
      conversations: world.conversations.length,
      requests: world.conversations.filter(({ state }) => state === 'request').length,
      groups: world.groups.size,
      messages: 0,
      queued: world.connection.queued,
      failed: 0,
      quarantined: 0,
    }),
    'lock.state': () => world.lock,
    'lock.choose': ({ passphrase }) => {
      choose(passphrase);
      return protect('passphrase');
    },
    'lock.unlock': ({ passphrase }) => open(passphrase),
    'lock.recover': () => open(null),
    'lock.retry': () => open(null),
    'lock.now': () =>
      world.host.keyProtection.kind === 'passphrase'
        ? setLock({ ...OPEN, phase: 'locked', because: 'passphrase' })
        : world.lock,
    'lock.turnOn': ({ passphrase }) => {
      choose(passphrase);
      return protect('passphrase');
    },
    'lock.turnOff': () => protect('os-key-store'),
    'lock.change': ({ next }) => {
      choose(next);
      return world.lock;
    },
    'lock.revealSecret': () => ({
      kind: 'phrase',
      secret: 'twelve words that only the scene has '.repeat(2).trim(),
    }),
    'lock.wipe': async () => {
      setLock({ ...OPEN, phase: 'opening' });
      world.phase = 'new';
      await new Promise((resolve) => setTimeout(resolve));
      return setLock(OPEN);
    },
    'lock.active': () => ({}),
    'clipboard.copy': () => ({}),
    'updates.state': () => world.updates,
    'updates.check': () => world.updates,
    'settings.get': () => world.settings,
    'settings.set': (part) => {
      world.settings = Object.assign({ ...world.settings }, part);
      emit('settings.changed', world.settings);
      return world.settings;
    },

    'connection.get': () => world.connection,
    'connection.retry': () => {
      emit('connection.changed', world.connection);
      return {};
    },

    'devices.list': () => world.devices,
    'devices.revoke': ({ id }) => {
      world.devices = world.devices.filter((each) => each.id !== id);
      return world.devices;
    },
    'devices.rename': ({ id, name }) => {
      world.devices = world.devices.map((each) =>
        each.id === id ? { ...each, name: toLabel(name ?? '') || null } : each,
      );
      return world.devices;
    },
    'devices.changes': () => openChanges(),
    'devices.answerChanges': ({ keys, answer }) => {
      const failures = answer === 'keep' ? [] : world.failingChanges;
      const answered = world.changes.filter(({ key }) => keys.includes(key));
      const failing = failures.filter(({ name }) => answered.some(({ group }) => group === name));
      const isFailing = ({ group }: DeviceChange) => failing.some(({ name }) => name === group);
      world.changes = world.changes.filter((each) => !answered.includes(each) || isFailing(each));
      const undeleted = answer === 'undo' && answered.some(({ messages }) => messages) ? 2 : 0;
      return { changes: openChanges(), failures: failing, undeleted };
    },
    'devices.added': () => world.addedDevices,
    'devices.confirmAdded': ({ ids }) => {
      world.addedDevices = world.addedDevices.filter(({ id }) => !ids.includes(id));
      emit('devices.changed', { isNew: false });
      return world.addedDevices;
    },
    'devices.checkCode': ({ code }) => ({
      problem: code.length < 8 ? { code: 'code_mistyped', parameters: {} } : null,
    }),
    'devices.findWaiting': () => ({
      id: 'device-new',
      name: 'Waxwing (Linux)',
      expiresAt: Date.now() + 9 * MINUTE,
    }),
    'devices.link': ({ withHistory }) => {
      if (withHistory) {
        const sending = {
          deviceId: 'device-new',
          state: 'waiting' as const,
          done: 0,
          total: 0,
          problem: null,
        };
        world.history = { ...world.history, sending: [...world.history.sending, sending] };
        emit('history.changed', {});
      }
      const added = { type: 'app' as const, isThis: false, sealKeySince: null, keepsPhrase: null };
      world.devices = [
        ...world.devices,
        {
          ...added,
          id: 'device-new',
          name: 'Waxwing (Linux)',
          validUntil: Date.now() + 365 * 24 * 60 * MINUTE,
        },
      ];
      return world.devices;
    },
    'devices.renew': () => world.devices,
    'devices.forgetSecret': () => {
      world.me = { ...world.me, keepsPhrase: false };
      world.devices = world.devices.map((each) => (each.isThis ? { ...each, keepsPhrase: false } : each));
      emit('app.changed', {});
      return world.devices;
    },

    'developer.get': () => world.developer,
    'developer.unlock': ({ secret }) => {
      if (!world.me.keepsPhrase && secret === undefined) throw new Failure('wallet_not_kept');
      world.developer.unlocked = true;
      return world.developer;
    },
    'developer.lock': () => {
      world.developer = { ...world.developer, unlocked: false, keys: [] };
      return world.developer;
    },
    'developer.createKey': ({ name, entitlements, days }) => {
      const id = `key-${world.developer.keys.length + 1}`;
      const key: ApiKey = {
        id,
        name,
        prefix: `wxk_${id}`,
        entitlements,
        createdAt: NOW,
        expiresAt: days === null ? null : NOW + days * DAY,
        lastUsedAt: null,
        revokedAt: null,
      };
      world.developer.keys.unshift(key);
      return { key, secret: `wxk_${'0123456789'.repeat(4)}`, relayUrl: world.me.relayUrl };
    },
    'developer.revokeKey': ({ id }) => {
      const key = world.developer.keys.find((each) => each.id === id);
      if (key) key.revokedAt = NOW;
      return world.developer;
    },
  };
}
