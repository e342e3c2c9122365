import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { callBridge, queryKey } from '../bridge.ts';
import { useNavigation } from '../shared/navigation.tsx';

interface OpenPerson {
  /** Finds a person by handle or address and shows the conversation with them. */
  openPerson: (query: string) => void;
  /** Shows the conversation with a known person, without asking the server. */
  openKnown: (address: string) => void;
  isOpening: boolean;
  error: Error | null;
  reset: () => void;
}

interface OpenPersonOptions {
  /** True if the failure is shown beside the control: then there is no toast. */
  showsFailure?: boolean;
  onOpened?: () => void;
}

export function useOpenPerson({ showsFailure = false, onOpened }: OpenPersonOptions = {}): OpenPerson {
  const { openConversation } = useNavigation();
  const client = useQueryClient();
  const opening = useMutation({
    mutationFn: async (wanted: { query: string } | { known: string }): Promise<Conversation> => {
      const address = 'known' in wanted ? wanted.known : (await callBridge('people.resolve', wanted)).address;
      return callBridge('conversations.open', { address });
    },
    meta: { showsFailure, procedure: 'conversations.open' },
    onSuccess: (conversation) => {
      client.setQueryData(queryKey('conversations.get', { id: conversation.id }), conversation);
      openConversation(conversation.id);
      onOpened?.();
    },
  });
  return {
    openPerson: (query) => opening.mutate({ query }),
    openKnown: (known) => opening.mutate({ known }),
    isOpening: opening.isPending,
    error: opening.error,
    reset: opening.reset,
  };
}
