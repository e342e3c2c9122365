/**
 * Screen lock events of the person's session from systemd-logind (org.freedesktop.login1). Electron reports
 * them on macOS and Windows, and sleep on all systems.
 */
import { BUS, BusConnection } from './connection.ts';
import { type Message, stringsIn } from './wire.ts';

const LOGIND = 'org.freedesktop.login1';
const SESSION = `${LOGIND}.Session`;
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const SYSTEM_BUS = 'unix:path=/var/run/dbus/system_bus_socket';

/** Object paths of logind. */
const SESSION_PATH = /^\/org\/freedesktop\/login1\/session\/\w{1,255}$/;

export interface ScreenListener {
  locked: () => void;
  unlocked: () => void;
}

/**
 * Delay before reconnecting, in milliseconds: any program on the computer can end the connection by a signal
 * that is too large.
 */
const PAUSE = 5_000;

/**
 * Follows the session, if logind knows it.
 * @param env of the session: its number, and the address of the system bus
 * @returns the function that stops it
 */
export function followSessionLock(env: NodeJS.ProcessEnv, listener: ScreenListener): () => void {
  let isStopped = false;
  let bus: BusConnection | null = null;
  const follow = async () => {
    for (;;) {
      bus = await connect(env, listener);
      if (isStopped) bus?.close();
      if (isStopped || !bus) return;
      await bus.closed;
      await new Promise((resolve) => setTimeout(resolve, PAUSE).unref());
      if (isStopped) return;
    }
  };
  void follow();
  return () => {
    isStopped = true;
    bus?.close();
  };
}

/**
 * Runs until the bus ends. Any program on the computer can send a signal: only logind's own count.
 * @returns null without logind, or without a session
 */
async function connect(env: NodeJS.ProcessEnv, listener: ScreenListener): Promise<BusConnection | null> {
  let owner = '';
  let path = '';
  let isLockedNow = false;
  const bus = await BusConnection.open(env.DBUS_SYSTEM_BUS_ADDRESS ?? SYSTEM_BUS, (signal) => {
    if (signal.sender === BUS.destination) owner = newOwner(signal) ?? owner;
    else if (signal.sender === owner && signal.path === path) void follow(signal);
  });
  if (!bus) return null;

  /** Desktops that lock by themselves set a property; `loginctl lock-session` sends a signal to them. */
  async function follow({ interface: of, member }: Message): Promise<void> {
    if (of === SESSION && member === 'Lock') listener.locked();
    if (of !== PROPERTIES || member !== 'PropertiesChanged') return;
    const isLocked = await lockedHint();
    if (isLocked === isLockedNow) return;
    isLockedNow = isLocked;
    if (isLocked) listener.locked();
    else listener.unlocked();
  }

  /** A variant of one boolean. */
  async function lockedHint(): Promise<boolean> {
    const call = { destination: LOGIND, path, interface: PROPERTIES, member: 'Get' };
    const answer = await bus?.call({ ...call, arguments: [SESSION, 'LockedHint'] });
    return (
      answer?.length === 8 && answer.toString('latin1', 0, 3) === '\u0001b\0' && answer.readUInt32LE(4) === 1
    );
  }

  const callForString = async (call: Parameters<BusConnection['call']>[0]) => {
    try {
      return stringsIn((await bus.call(call)) ?? Buffer.alloc(0))[0] ?? '';
    } catch {
      return '';
    }
  };
  const manager = { destination: LOGIND, path: '/org/freedesktop/login1', interface: `${LOGIND}.Manager` };
  // A program started by the session's service manager is in no session; 'auto' is then the person's own.
  path = await callForString({ ...manager, member: 'GetSession', arguments: [env.XDG_SESSION_ID ?? 'auto'] });
  owner = await callForString({ ...BUS, member: 'GetNameOwner', arguments: [LOGIND] });
  const isFollowed = SESSION_PATH.test(path) && owner !== '' && (await matches(bus, path));
  if (!isFollowed) {
    bus.close();
    return null;
  }
  isLockedNow = await lockedHint();
  return bus;
}

async function matches(bus: BusConnection, path: string): Promise<boolean> {
  const rules = [
    `type='signal',sender='${LOGIND}',path='${path}'`,
    `type='signal',sender='${BUS.destination}',member='NameOwnerChanged',arg0='${LOGIND}'`,
  ];
  const answers = await Promise.all(
    rules.map((rule) => bus.call({ ...BUS, member: 'AddMatch', arguments: [rule] })),
  );
  return answers.every((answer) => answer !== null);
}

/** New owner after a restart of logind; null for other signals. */
function newOwner({ member, body }: Message): string | null {
  if (member !== 'NameOwnerChanged') return null;
  const [name, , owner] = stringsIn(body);
  return name === LOGIND && owner ? owner : null;
}
