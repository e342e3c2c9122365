/** Calls of an interface about the lock. */
import { Failure } from '../base/failure.ts';
import type { HostProcedures, Input, Output } from '../bridge/contract.ts';
import type { Session } from './session.ts';

type LockProcedure = Extract<keyof HostProcedures, `lock.${string}`>;

export type LockCalls = { [P in LockProcedure]: (input: Input<P>) => Output<P> | Promise<Output<P>> };

/** @param isDesktop whether the interface is the desktop's: a page in a browser gets no key */
export function lockCalls(session: Session, isDesktop: boolean): LockCalls {
  const after = async (work: Promise<void>) => {
    await work;
    return session.state;
  };
  return {
    'lock.state': () => session.state,
    'lock.choose': ({ passphrase }) => after(session.choose(passphrase)),
    'lock.unlock': ({ passphrase }) => after(session.unlock(passphrase)),
    'lock.recover': ({ secret, passphrase }) => after(session.recover(secret, passphrase)),
    'lock.retry': () => after(session.retry()),
    'lock.now': () => after(session.lock()),
    'lock.turnOn': ({ passphrase }) => after(session.turnOn(passphrase)),
    'lock.turnOff': ({ passphrase }) => after(session.turnOff(passphrase)),
    'lock.change': ({ passphrase, next }) => after(session.changePassphrase(passphrase, next)),
    'lock.revealSecret': ({ passphrase }) => {
      if (!isDesktop) throw new Failure('recovery_in_desktop_only');
      return session.revealSecret(passphrase);
    },
    'lock.wipe': ({ passphrase }) => after(session.wipe(passphrase)),
    'lock.active': () => {
      session.active();
      return {};
    },
  };
}
