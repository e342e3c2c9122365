/** Places of the open chat, for controls outside of it, as in the details. */
import { useEffect, useEffectEvent } from 'react';
import type { Message } from '../../../../bridge/shapes/message.ts';

interface ChatPlaces {
  /** Opens a picture in the viewer. */
  openPicture: (message: Message, index: number) => void;
  /** Shows a message among the others. */
  showMessage: (message: Message) => void;
}

let current: ChatPlaces | null = null;

export const openPicture: ChatPlaces['openPicture'] = (message, index) =>
  current?.openPicture(message, index);
export const showMessage: ChatPlaces['showMessage'] = (message) => current?.showMessage(message);

/** Registers the places of a chat while it is mounted. */
export function useChatPlaces({ openPicture, showMessage }: ChatPlaces): void {
  const open = useEffectEvent(openPicture);
  const show = useEffectEvent(showMessage);
  useEffect(() => {
    const own: ChatPlaces = {
      openPicture: (message, index) => open(message, index),
      showMessage: (message) => show(message),
    };
    current = own;
    return () => {
      if (current === own) current = null;
    };
  }, []);
}
