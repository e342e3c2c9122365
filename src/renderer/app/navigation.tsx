import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useBridgeEvent } from '../bridge.ts';

export type ListView = 'conversations' | 'requests';
export type DialogName = 'new-chat' | 'groups' | 'settings' | 'palette';

interface Place {
  list: ListView;
  conversationId: string | null;
  detailsOpen: boolean;
  dialog: DialogName | null;
}

interface Navigation extends Place {
  showList: (list: ListView) => void;
  openConversation: (id: string) => void;
  closeConversation: () => void;
  toggleDetails: () => void;
  openDialog: (dialog: DialogName) => void;
  closeDialog: () => void;
}

const Context = createContext<Navigation | null>(null);

/** Where the person is in the main window. */
export function useNavigation(): Navigation {
  const navigation = useContext(Context);
  if (!navigation) throw new Error('useNavigation needs a NavigationProvider above it.');
  return navigation;
}

export function NavigationProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<Place>({
    list: 'conversations',
    conversationId: null,
    detailsOpen: false,
    dialog: null,
  });
  const navigation = useMemo<Navigation>(() => {
    const change = (part: Partial<Place>) => setPlace((previous) => ({ ...previous, ...part }));
    return {
      ...place,
      showList: (list) => change({ list }),
      openConversation: (conversationId) => change({ conversationId, dialog: null }),
      closeConversation: () => change({ conversationId: null, detailsOpen: false }),
      toggleDetails: () => change({ detailsOpen: !place.detailsOpen }),
      openDialog: (dialog) => change({ dialog }),
      closeDialog: () => change({ dialog: null }),
    };
  }, [place]);
  useBridgeEvent('navigate.conversation', ({ conversationId }) =>
    navigation.openConversation(conversationId),
  );
  return <Context value={navigation}>{children}</Context>;
}
