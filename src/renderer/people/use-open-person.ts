import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FailureData } from '../../base/failure.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { callBridge, queryKey } from '../bridge.ts';
import { BridgeFailure } from '../bridge-failure.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { useShutOut } from '../shared/use-shut-out.ts';

interface OpenPerson {
  /**
   * Finds a person by handle or address and shows the conversation with them. On a computer that the server no longer accepts, only an
   * existing conversation with an address.
   */
  openPerson: (query: string) => void;
  /** Shows the conversation with a known person, without asking the server. */
  openKnown: (address: string) => void;
  isOpening: boolean;
  error: Error | null;
  reset: () => void;
}

async function findExisting(address: string, reason: FailureData): Promise<Conversation> {
  const listed = await callBridge('conversations.list', {});
  const found = listed.find((each) => each.kind === 'direct' && each.peer.address === address);
  if (!found) throw new BridgeFailure(reason);
  return found;
}

interface OpenPersonOptions {
  /** True if the failure is shown beside the control: then there is no toast. */
  showsFailure?: boolean;
  onOpened?: () => void;
}

export function useOpenPerson({ showsFailure = false, onOpened }: OpenPersonOptions = {}): OpenPerson {
  const { openConversation } = useNavigation();
  const client = useQueryClient();
  const shutOut = useShutOut();
  const opening = useMutation({
    mutationFn: async (wanted: { query: string } | { known: string }): Promise<Conversation> => {
      if ('query' in wanted && shutOut) return findExisting(wanted.query, shutOut);
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
