/** Steps that nearly always have their answer at once: a promise for each would cost more than the step. */

export type Awaitable<T> = T | Promise<T>;

/** Calls `next` with a value: at once if it is there, else when its promise is fulfilled. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
