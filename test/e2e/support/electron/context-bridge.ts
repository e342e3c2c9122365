/**
 * Electron's contextBridge between two worlds of one frame: the page's own, and an isolated one with the preload script,
 * which share the document and nothing of JavaScript. Electron passes objects inside V8; here they are sent as descriptions
 * in events of the window, which Chromium copies from world to world while it dispatches them, so that a call has its answer
 * when it returns, as there.
 *
 * Runs in a page: each function uses only itself and its arguments.
 */

type Described =
  | { kind: 'plain'; value: unknown }
  | { kind: 'array'; items: Described[] }
  | { kind: 'object'; entries: [string, Described][] }
  | { kind: 'error'; message: string }
  | { kind: 'function'; id: number }
  | { kind: 'promise'; id: number };

type Message =
  | { to: 'call'; id: number; args: Described[]; answer: number }
  | { to: 'expose'; key: string; api: Described; answer: number }
  | { to: 'answer'; answer: number; isOk: boolean; value: Described }
  | { to: 'settle'; id: number; isOk: boolean; value: Described };

export interface Endpoint {
  exposeInMainWorld(key: string, api: unknown): void;
}

/** One side of the bridge. @param own name of the events for this side; `other`: of those for the other one */
export function createEndpoint(own: string, other: string): Endpoint {
  const functions: ((...args: unknown[]) => unknown)[] = [];
  const promises: PromiseWithResolvers<unknown>[] = [];
  const answers = new Map<number, Extract<Message, { to: 'answer' }>>();
  let sent = 0;
  let promised = 0;

  const send = (detail: Message) => window.dispatchEvent(new CustomEvent(other, { detail }));

  const describe = (value: unknown): Described => {
    if (typeof value === 'function') {
      return { kind: 'function', id: functions.push(value as () => unknown) - 1 };
    }
    if (value === null || typeof value !== 'object') return { kind: 'plain', value: structuredClone(value) };
    if (value instanceof Promise) {
      const id = promised++;
      value.then(
        (result) => send({ to: 'settle', id, isOk: true, value: describe(result) }),
        (reason) => send({ to: 'settle', id, isOk: false, value: describe(reason) }),
      );
      return { kind: 'promise', id };
    }
    // In Electron, too, only the message of an error arrives.
    if (value instanceof Error) return { kind: 'error', message: value.message };
    if (Array.isArray(value)) return { kind: 'array', items: value.map(describe) };
    if (Object.getPrototypeOf(value) !== Object.prototype) {
      return { kind: 'plain', value: structuredClone(value) };
    }
    return {
      kind: 'object',
      entries: Object.entries(value).map(([name, each]) => [name, describe(each)]),
    };
  };

  const build = (described: Described): unknown => {
    const { kind } = described;
    if (kind === 'plain') return described.value;
    if (kind === 'error') return new Error(described.message);
    if (kind === 'array') return described.items.map(build);
    if (kind === 'object') {
      return Object.fromEntries(described.entries.map(([name, each]) => [name, build(each)]));
    }
    if (kind === 'promise') {
      const settled = Promise.withResolvers<unknown>();
      promises[described.id] = settled;
      return settled.promise;
    }
    const { id } = described;
    return (...args: unknown[]) => query((answer) => ({ to: 'call', id, args: args.map(describe), answer }));
  };

  /** Sends a request; the answer exists when the call returns. */
  const query = (make: (answer: number) => Message): unknown => {
    const answer = sent++;
    send(make(answer));
    const given = answers.get(answer);
    answers.delete(answer);
    if (!given) throw new Error('the other world does not answer');
    if (!given.isOk) throw build(given.value);
    return build(given.value);
  };

  const answerWith = (answer: number, make: () => unknown) => {
    try {
      send({ to: 'answer', answer, isOk: true, value: describe(make()) });
    } catch (error) {
      send({ to: 'answer', answer, isOk: false, value: describe(error) });
    }
  };

  const freeze = (value: unknown): unknown => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
    for (const each of Object.values(value)) freeze(each);
    return Object.freeze(value);
  };

  const expose = (key: string, api: Described) => {
    if (key in window) {
      throw new Error('Cannot bind an API on top of an existing property on the window object');
    }
    Object.defineProperty(window, key, { value: freeze(build(api)), enumerable: true });
  };

  window.addEventListener(own, (event) => {
    const message = (event as CustomEvent<Message>).detail;
    if (message.to === 'answer') answers.set(message.answer, message);
    if (message.to === 'expose') answerWith(message.answer, () => expose(message.key, message.api));
    if (message.to === 'call') {
      answerWith(message.answer, () => functions[message.id]?.(...message.args.map(build)));
    }
    if (message.to === 'settle') {
      const { resolve, reject } = promises[message.id] ?? {};
      if (message.isOk) resolve?.(build(message.value));
      else reject?.(build(message.value));
    }
  });

  return {
    exposeInMainWorld(key, api) {
      const described = describe(api);
      query((answer) => ({ to: 'expose', key, api: described, answer }));
    },
  };
}
