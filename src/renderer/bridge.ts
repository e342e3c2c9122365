/** The renderer's only connection to the outside: `window.waxwing`, wrapped in promises, queries and commands. */
import { type UseMutationResult, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Bridge, EventName, EventPayload, Input, Output, ProcedureName } from '../bridge/contract.ts';
import { BridgeFailure } from './bridge-failure.ts';

declare global {
  interface Window {
    readonly waxwing: Bridge;
  }
}

/** Calls a procedure. Throws a {@link BridgeFailure} whose message is a sentence for the person. */
export async function callBridge<P extends ProcedureName>(name: P, input: Input<P>): Promise<Output<P>> {
  const answer = await window.waxwing.calls[name](input);
  if (!answer.ok) throw new BridgeFailure(answer.failure);
  return answer.value;
}

/** The cache key of a procedure's answer; without `input`, of all its answers. */
export function queryKey<P extends ProcedureName>(name: P, input?: Input<P>): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

interface BridgeQueryOptions<P extends ProcedureName> {
  enabled?: boolean;
  /** Delay before the procedure is called again, in milliseconds; false for never. Depends on the answer. */
  refetchInterval?: (value: Output<P> | undefined) => number | false;
}

/** A procedure's answer, cached until an event reports a change. */
export function useBridgeQuery<P extends ProcedureName>(
  name: P,
  input: Input<P>,
  { enabled = true, refetchInterval }: BridgeQueryOptions<P> = {},
): UseQueryResult<Output<P>, Error> {
  return useQuery<Output<P>, Error, Output<P>>({
    queryKey: queryKey(name, input),
    queryFn: () => callBridge(name, input),
    enabled,
    refetchInterval: (query) => refetchInterval?.(query.state.data) ?? false,
  });
}

interface CommandOptions<P extends ProcedureName> {
  onSuccess?: (value: Output<P>, input: Input<P>) => void;
  onError?: (error: Error, input: Input<P>) => void;
  /** True if the failure is shown beside the control: then there is no toast. */
  showsFailure?: boolean;
}

/** A procedure with an effect. Failures that are not shown in place become a toast. */
export function useCommand<P extends ProcedureName>(
  name: P,
  { showsFailure = false, ...options }: CommandOptions<P> = {},
): UseMutationResult<Output<P>, Error, Input<P>> {
  return useMutation<Output<P>, Error, Input<P>>({
    mutationFn: (input) => callBridge(name, input),
    meta: { showsFailure, procedure: name },
    ...options,
  });
}

/** Subscribes to an event while the component is mounted. */
export function useBridgeEvent<E extends EventName>(
  event: E,
  listener: (payload: EventPayload<E>) => void,
): void {
  const latest = useEffectEvent(listener);
  useEffect(() => window.waxwing.on(event, (payload) => latest(payload)), [event]);
}
