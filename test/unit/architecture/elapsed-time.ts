/** Finds the places in a test's source that depend on elapsed time, or wait for a time. */
import { parseSync } from 'vite';

/**
 * The reason why a place counts: it reads a clock that measures, compares times of day, sets its own limit, or
 * waits for a time.
 */
export type Kind = 'measures' | 'compares' | 'own limit' | 'sleeps';

export interface Place {
  kind: Kind;
  line: number;
  /** Source text of the place. */
  text: string;
}

export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** Names of clocks and counters that are only used for measuring. */
const MEASURING = new Set(['hrtime', 'cpuUsage', 'threadCpuUsage', 'userCPUTime', 'systemCPUTime', 'uptime']);
/** Members of `performance`, under any name. */
const OF_PERFORMANCE = new Set(['now', 'timeOrigin', 'mark', 'measure', 'timerify', 'eventLoopUtilization']);
/** Timers of Node and of pages. */
const TIMERS = new Set(['setTimeout', 'setInterval']);
/** A page's own wait, in milliseconds. */
const PAGE_WAIT = 'waitForTimeout';
const COMPARING = new Set(['<', '>', '<=', '>=', '==', '!=', '===', '!==']);
const COUNT = new Set(['length', 'size']);
/** Methods that add to a list, a set or a map. */
const COLLECTING = new Set(['push', 'unshift', 'add', 'set']);
/** Functions with a time limit in their options. */
const WAITING = new Set(['poll', 'waitFor', 'waitUntil', 'toPass', 'test', 'it', 'describe']);
/** Calls whose last argument may be a limit in milliseconds. */
const LIMITED = /^(?:test|it|describe|(?:before|after)(?:All|Each))$/;

/** The places of a source. @param limit that of the suite, in milliseconds: a limit below it is one that a test has for itself */
export function placesIn(name: string, source: string, limit: number): Place[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const places = new Map<string, Place>();
  const add = (kind: Kind, node: Node) => {
    const line = source.slice(0, node.start).split('\n').length;
    const [text = ''] = source.slice(node.start, node.end).split('\n');
    // Nested ones are found with their parent.
    const key = `${kind} ${line}`;
    if (!places.has(key)) places.set(key, { kind, line, text });
  };
  const root = program as unknown as Node;
  const nodes = nodesIn(root);
  const named = variablesIn(nodes);
  // A retried block may have short time limits inside.
  const tries = nodes
    .filter((node) => isExpect(node) && chainOf(node.callee).at(-1) === 'toPass')
    .map(triedBy);
  const timers = timersIn(nodes);
  const isElapsed = (node: Node) => nodesIn(node).some((each) => isDifference(each, named));
  for (const node of nodes) {
    const isComparing =
      isExpect(node) || (node.type === 'BinaryExpression' && COMPARING.has(String(node.operator)));
    if (isMeasuring(node)) add('measures', node);
    if (isSleep(node, timers)) add('sleeps', node);
    if (isComparing && (isElapsed(node) || refersTo(node, named.elapsed))) add('compares', node);
    if (hasOwnLimit(node, limit) && !tries.some((each) => isInside(node, each))) add('own limit', node);
  }
  return [...places.values()];
}

/** A timer under another name in this source, with the index of its time argument. */
type Timers = ReadonlyMap<string, number>;

function timersIn(nodes: readonly Node[]): Timers {
  const timers = new Map([...TIMERS].map((name) => [name, 1]));
  const isTimer = (node: unknown) => TIMERS.has(nameOf(node) ?? '');
  for (const node of nodes) {
    if (node.type === 'ImportDeclaration' && /^(?:node:)?timers\/promises$/.test(nameOf(node.source) ?? '')) {
      for (const { imported, local } of node.specifiers as Node[])
        if (isTimer(imported)) timers.set(nameOf(local) ?? '', 0);
    }
    // `const { setTimeout: later } = globalThis`, `const later = setTimeout`.
    if (node.type === 'Property' && isTimer(node.key)) timers.set(nameOf(node.value) ?? '', 1);
    if (node.type === 'VariableDeclarator' && isTimer(node.init)) timers.set(nameOf(node.id) ?? '', 1);
  }
  return timers;
}

/** A timer that is started for some time: one without a time, or of zero, is the next round of the event loop. */
function isSleep(node: Node, timers: Timers): boolean {
  if (node.type !== 'CallExpression') return false;
  const chain = chainOf(node.callee);
  const name = chain.at(-1) ?? '';
  if (name === PAGE_WAIT) return chain.length > 1;
  const isOwn = chain.length === 1 || /^(?:globalThis|window|self)$/.test(chain[0] ?? '');
  const at = isOwn ? timers.get(name) : undefined;
  if (at === undefined) return false;
  const time = (node.arguments as Node[])[at];
  return time !== undefined && !(time.type === 'Literal' && time.value === 0);
}

/** The body of an `expect(…).toPass()`. */
function triedBy({ callee }: Node): Node {
  return (callee as Node).object as Node;
}

function isInside(node: Node, other: Node): boolean {
  return node !== other && node.start >= other.start && node.end <= other.end;
}

/** A node and all below it. */
export function nodesIn(root: Node): Node[] {
  const found = [root];
  for (const node of found) {
    for (const value of Object.values(node)) {
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) found.push(each);
    }
  }
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  return null;
}

/** `performance.now`, `process.hrtime`, `{ cpuUsage }` from a module, and so on, called or not. */
function isMeasuring(node: Node): boolean {
  if (node.type === 'MemberExpression') {
    const property = nameOf(node.property) ?? '';
    if (MEASURING.has(property)) return true;
    const isOfPerformance =
      nameOf(node.object) === 'performance' ||
      (isNode(node.object) &&
        node.object.type === 'MemberExpression' &&
        nameOf(node.object.property) === 'performance');
    return isOfPerformance && OF_PERFORMANCE.has(property);
  }
  if (node.type === 'ImportSpecifier') return isMeasuringName(nameOf(node.imported));
  if (node.type !== 'VariableDeclarator' || !isNode(node.id) || node.id.type !== 'ObjectPattern')
    return false;
  const from = nameOf(node.init);
  return (node.id.properties as Node[]).some(({ key }) => {
    const name = nameOf(key);
    return isMeasuringName(name) || (from === 'performance' && OF_PERFORMANCE.has(name ?? ''));
  });
}

function isMeasuringName(name: string | null): boolean {
  return name !== null && (name === 'performance' || MEASURING.has(name));
}

interface Variables {
  /** Variables with a time. */
  times: Set<string>;
  /** Variables with a difference of two times. */
  elapsed: Set<string>;
}

/** Collects the variables of a source by their contents, in all scopes. */
function variablesIn(nodes: readonly Node[]): Variables {
  const variables: Variables = { times: new Set(), elapsed: new Set() };
  const given = nodes.flatMap((node): [string, Node][] => {
    if (node.type === 'VariableDeclarator') return pair(node.id, node.init);
    if (node.type === 'AssignmentExpression') return pair(node.left, node.right);
    if (node.type === 'FunctionDeclaration') return pair(node.id, node);
    return collected(node);
  });
  // Repeats until no variable is added: one may depend on a later one.
  for (let before = -1; before < variables.times.size + variables.elapsed.size; ) {
    before = variables.times.size + variables.elapsed.size;
    for (const [name, value] of given) {
      if (isTime(value)) variables.times.add(name);
      if (nodesOfValue(value).some((node) => isDifference(node, variables))) variables.elapsed.add(name);
    }
  }
  return variables;
}

function pair(left: unknown, right: unknown): [string, Node][] {
  const name = nameOf(left);
  return name !== null && isNode(right) ? [[name, right]] : [];
}

/** Values added to a list, a set or a map. */
function collected(node: Node): [string, Node][] {
  if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'MemberExpression')
    return [];
  const { object, property } = node.callee;
  if (!COLLECTING.has(nameOf(property) ?? '')) return [];
  return (node.arguments as Node[]).flatMap((argument) => pair(object, argument));
}

/** Without calls in a nested function, but with its result. */
function nodesOfValue(value: Node): Node[] {
  if (!isFunction(value)) return nodesIn(value).filter((node) => node.type === 'BinaryExpression');
  return givenBy(value).flatMap(nodesOfValue);
}

const isFunction = ({ type }: Node) =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration';

/** Results of a function: its expression, or its return values. */
function givenBy({ body }: Node): Node[] {
  if (!isNode(body)) return [];
  if (body.type !== 'BlockStatement') return [body];
  const found = [body];
  for (const node of found) {
    for (const value of Object.values(node)) {
      for (const each of Array.isArray(value) ? value : [value])
        if (isNode(each) && !isFunction(each)) found.push(each);
    }
  }
  return found.flatMap(({ type, argument }) =>
    type === 'ReturnStatement' && isNode(argument) ? [argument] : [],
  );
}

/** `Date.now()`, `+new Date()`, `new Date().getTime()`, and the same in a page: `await page.evaluate(() => Date.now())`. */
function isTime(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'ParenthesizedExpression') return isTime(node.expression);
  if (node.type === 'UnaryExpression' || node.type === 'AwaitExpression') return isTime(node.argument);
  if (node.type === 'NewExpression')
    return nameOf(node.callee) === 'Date' && (node.arguments as Node[]).length === 0;
  if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'MemberExpression')
    return false;
  const { object, property } = node.callee;
  if (nameOf(object) === 'Date') return nameOf(property) === 'now';
  if (nameOf(property) === 'evaluate')
    return (node.arguments as Node[]).some((each) => isFunction(each) && givenBy(each).some(isTime));
  return nameOf(property) === 'getTime' && isTime(object);
}

/** A time of the day less something that is not a constant, or the other way round. */
function isDifference(node: Node, { times }: Variables): boolean {
  if (node.type !== 'BinaryExpression' || node.operator !== '-') return false;
  const { left, right } = node;
  const isNow = (side: unknown) => isTime(side) || times.has(nameOf(side) ?? '');
  if (!isTime(left) && !isTime(right)) return isNow(left) && isNow(right);
  return !isConstant(isTime(left) ? right : left);
}

/** A number, a name in capitals, or a product of such. */
function isConstant(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'BinaryExpression') return isConstant(node.left) && isConstant(node.right);
  if (node.type === 'Identifier') return /^[A-Z][A-Z\d_]*$/.test(String(node.name));
  return node.type === 'Literal' && typeof node.value === 'number';
}

function refersTo(node: Node, names: ReadonlySet<string>): boolean {
  const nodes = nodesIn(node);
  // The number of collected times is not a time.
  const counted = new Set(
    nodes.flatMap((each) => (COUNT.has(nameOf(each.property) ?? '') ? [each.object as Node] : [])),
  );
  return nodes.some(
    (each) => each.type === 'Identifier' && names.has(String(each.name)) && !counted.has(each),
  );
}

/** `expect(…)`, `expect.poll(…)`: the compared value; and `expect(…).toBe(…)`, for its expected value. */
function isExpect(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  let { callee } = node as { callee?: unknown };
  while (isNode(callee)) {
    if (callee.type === 'Identifier') return /^(?:expect|assert)$/.test(String(callee.name));
    callee =
      callee.type === 'MemberExpression'
        ? callee.object
        : callee.type === 'CallExpression'
          ? callee.callee
          : null;
  }
  return false;
}

/** A call with options that set a time below the suite's own. */
function hasOwnLimit(node: Node, limit: number): boolean {
  if (node.type !== 'CallExpression') return false;
  const isShort = (value: unknown) =>
    isNode(value) && value.type === 'Literal' && Number(value.value) > 0 && Number(value.value) < limit;
  const chain = chainOf(node.callee);
  if (chain.some((name) => LIMITED.test(name)) && isShort((node.arguments as Node[]).at(-1))) return true;
  if (!isExpect(node) && !chain.some((name) => WAITING.has(name))) return false;
  return (node.arguments as Node[]).some(
    (argument) =>
      argument.type === 'ObjectExpression' &&
      (argument.properties as Node[]).some(({ key, value }) => nameOf(key) === 'timeout' && isShort(value)),
  );
}

/** The names of a callee: of `vi.waitFor` both. */
function chainOf(callee: unknown): string[] {
  if (!isNode(callee)) return [];
  if (callee.type === 'Identifier') return [String(callee.name)];
  if (callee.type === 'MemberExpression') return [...chainOf(callee.object), nameOf(callee.property) ?? ''];
  return callee.type === 'CallExpression' ? chainOf(callee.callee) : [];
}
