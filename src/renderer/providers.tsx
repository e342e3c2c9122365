import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { queryKey } from './bridge.ts';
import { isUnexpected, showFailure, ToastProvider } from './design/toasts.tsx';
import { failureTitle } from './failure-title.ts';
import { followEngine } from './follow-engine.ts';

/**
 * Answers of the server. No event reports their changes there, so they are asked for again each time they are shown. For
 * `people.details`, which each open chat shows, the engine asks the server once a minute at most. `devices.changes` depends
 * on the list of devices.
 */
const SERVER_ANSWERS = [
  'developer.get',
  'devices.changes',
  'devices.list',
  'groups.browse',
  'handle.check',
  'people.details',
  'people.resolve',
  'people.search',
] as const;

/** Answers or inputs with the secret of an invite link. */
const WITH_SECRETS = ['groups.links', 'invites.list', 'invites.read'] as const;

/** Other answers stay valid until an event of the engine, and the engine is local: nothing is polled. */
function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
      },
      // Finished commands are forgotten at once: some contain a passphrase.
      mutations: { networkMode: 'always', retry: false, gcTime: 0 },
    },
    mutationCache: new MutationCache({
      onError: (error, _input, _result, mutation) => {
        if (mutation.meta?.showsFailure === true && !isUnexpected(error)) return;
        showFailure(error, failureTitle(mutation.meta?.procedure));
      },
    }),
    queryCache: new QueryCache({
      // Failed queries are shown in their place; unexpected failures also here, with the report for copying.
      onError: (error) => {
        if (isUnexpected(error)) showFailure(error);
      },
    }),
  });
  // They contain secrets, and are forgotten with their screen.
  for (const name of WITH_SECRETS) client.setQueryDefaults(queryKey(name), { staleTime: 0, gcTime: 0 });
  for (const name of SERVER_ANSWERS) client.setQueryDefaults(queryKey(name), { staleTime: 0 });
  return client;
}

/** Context of every screen: the query cache, toasts, tooltips, and base-ui without style elements. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  useEffect(() => followEngine(client), [client]);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <Tooltip.Provider delay={400}>
          <ToastProvider>{children}</ToastProvider>
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
