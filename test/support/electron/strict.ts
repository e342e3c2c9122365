/**
 * The app's view of a double: the members that Electron declares, on the simulated platform, and nothing else. Members
 * that only tests need are on the double itself.
 */
import { EventEmitter } from 'node:events';
import { declarationOf, isOn } from './declarations.ts';

/** The type of a double: any part of the real object, with the members of electron.d.ts. */
export type Held<Real> = Partial<Omit<Real, keyof EventEmitter | 'prototype'>>;

/** Properties that the language or a test runner reads from each object. Electron's objects do not have them. */
const ASKED_OF_ALL = new Set(['then', 'constructor', 'toJSON', 'asymmetricMatch', 'nodeType', 'tagName']);
const EMITTER = new Set(Object.getOwnPropertyNames(EventEmitter.prototype));
const FUNCTION = new Set(['name', 'length', 'prototype']);

const viewOf = new WeakMap<object, object>();
const doubleOf = new WeakMap<object, object>();

/**
 * The app's view of a double. The compiler checks that each member matches its declaration; this checks that
 * no undeclared member is used. Each double has one view, so views compare as identical.
 * @param name of the class or interface in electron.d.ts
 * @param isDestroyed whether the native object behind it is gone
 */
export function asElectron<Real extends object>(
  double: Held<Real> & object,
  name: string,
  platform: NodeJS.Platform,
  isDestroyed: () => boolean = () => false,
): Real {
  const known = viewOf.get(double);
  if (known) return known as Real;
  const { members } = declarationOf(name);
  const isEmitter = double instanceof EventEmitter;
  const refuse = (property: string): boolean => {
    if (isEmitter && EMITTER.has(property)) return false;
    const platforms = members.get(property);
    if (platforms === undefined) throw new TypeError(`Electron’s ${name} has no ${property}`);
    if (property !== 'isDestroyed' && isDestroyed()) throw new TypeError('Object has been destroyed');
    if (!isOn(platforms, platform)) return true;
    if (!(property in double)) throw new Error(`the double of ${name} lacks ${property}`);
    return false;
  };
  return view<Real>(double, {
    get(target, property) {
      if (typeof property === 'symbol' || ASKED_OF_ALL.has(property)) return Reflect.get(target, property);
      // Members of other platforms must not be used: a call fails.
      return refuse(property) ? undefined : seen(Reflect.get(target, property), target);
    },
    set(target, property, value) {
      refuse(String(property));
      return Reflect.set(target, property, value);
    },
  });
}

/** Static members of a class, as the app sees them. */
export function asElectronStatics<Real extends object>(
  double: Held<Real> & object,
  name: string,
  platform: NodeJS.Platform,
): Real {
  return view<Real>(double, staticsHandler(name, platform));
}

/** A class of doubles as the app receives it: its instances are views, too. */
export function asElectronClass<Real extends abstract new (...args: never) => object>(
  double: Held<Real> & (new (...args: ConstructorParameters<Real>) => Held<InstanceType<Real>>),
  name: string,
  platform: NodeJS.Platform,
): Real {
  return view<Real>(double, {
    ...staticsHandler(name, platform),
    construct(target, args) {
      const made = Reflect.construct(target as new () => object, args);
      return asElectron(made, name, platform, () => Reflect.get(made, 'isGone') === true);
    },
  });
}

function staticsHandler(name: string, platform: NodeJS.Platform): ProxyHandler<object> {
  const { statics } = declarationOf(name);
  return {
    get(target, property) {
      if (typeof property === 'symbol' || FUNCTION.has(property)) return Reflect.get(target, property);
      const platforms = statics.get(property);
      if (platforms === undefined) throw new TypeError(`Electron’s class ${name} has no ${property}`);
      if (!isOn(platforms, platform)) return undefined;
      if (!(property in target)) throw new Error(`the double of the class ${name} lacks ${property}`);
      return seen(Reflect.get(target, property), target);
    },
  };
}

/** The double behind a view from the app; anything else is itself. */
export function behind(value: unknown): unknown {
  return (typeof value === 'object' && value !== null && doubleOf.get(value)) || value;
}

/** The only cast from a double to Electron's own types. */
function view<Real>(double: object, handler: ProxyHandler<object>): Real {
  const made = new Proxy(double, handler);
  viewOf.set(double, made);
  doubleOf.set(made, double);
  return made as Real;
}

/**
 * The app's view of a member: methods act on the double, and a member that is a double is returned as a view.
 */
function seen(value: unknown, target: object): unknown {
  if (typeof value === 'function') {
    return (...args: unknown[]) => strictly(Reflect.apply(value, target, args));
  }
  return strictly(value);
}

/** The app's view of a double, if the app has received it; otherwise the value itself. */
export function strictly(value: unknown): unknown {
  return (typeof value === 'object' && value !== null && viewOf.get(value)) || value;
}

/** An emitter of the events that Electron declares for it. */
export class DeclaredEmitter extends EventEmitter {
  readonly #name: string;
  readonly #platform: NodeJS.Platform;

  /** @param name of the class or interface in electron.d.ts */
  constructor(name: string, platform: NodeJS.Platform) {
    super();
    this.#name = name;
    this.#platform = platform;
  }

  override on(event: string, listener: (...args: never[]) => void): this {
    this.#platformsOf(event);
    return super.on(event, listener as () => void);
  }

  override once(event: string, listener: (...args: never[]) => void): this {
    this.#platformsOf(event);
    return super.once(event, listener as () => void);
  }

  override off(event: string, listener: (...args: never[]) => void): this {
    this.#platformsOf(event);
    return super.off(event, listener as () => void);
  }

  /** Drives: fails for an event that no desktop of this platform emits. */
  override emit(event: string, ...args: unknown[]): boolean {
    if (!isOn(this.#platformsOf(event), this.#platform)) {
      throw new Error(`Electron’s ${this.#name} tells no ${event} on ${this.#platform}`);
    }
    return super.emit(event, ...args);
  }

  #platformsOf(event: string) {
    const platforms = declarationOf(this.#name).events.get(event);
    if (platforms === undefined) throw new Error(`Electron’s ${this.#name} has no event called ${event}`);
    return platforms;
  }
}
