import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Conversation } from '../../bridge/shapes.ts';
import { ask, queryKey } from '../bridge.ts';
import { useNavigation } from '../shared/navigation.tsx';

interface OpenPerson {
  /** Finds a person by handle or address and shows the conversation with them. */
  openPerson: (query: string) => void;
  isOpening: boolean;
  error: Error | null;
  reset: () => void;
}

interface OpenPersonOptions {
  /** True where the failure is told beside the control, so that no toast repeats it. */
  tellsFailure?: boolean;
  onOpened?: () => void;
}

export function useOpenPerson({ tellsFailure = false, onOpened }: OpenPersonOptions = {}): OpenPerson {
  const { openConversation } = useNavigation();
  const client = useQueryClient();
  const opening = useMutation({
    mutationFn: async (query: string): Promise<Conversation> => {
      const person = await ask('people.resolve', { query });
      return ask('conversations.open', { address: person.address });
    },
    meta: { tellsFailure, procedure: 'conversations.open' },
    onSuccess: (conversation) => {
      client.setQueryData(queryKey('conversations.get', { id: conversation.id }), conversation);
      openConversation(conversation.id);
      onOpened?.();
    },
  });
  return {
    openPerson: opening.mutate,
    isOpening: opening.isPending,
    error: opening.error,
    reset: opening.reset,
  };
}
