import type { Message } from '../../../../bridge/shapes/message.ts';
import { useNavigation } from '../../../shared/navigation.tsx';
import { articleOf, useActions } from '../../actions/action-state.tsx';

/** Shows a message in the chat and focuses it. Details that cover the chat, as in a narrow window, are closed. */
export function useShowMessage(): (message: Message) => void {
  const { detailsOpen, toggleDetails } = useNavigation();
  const { control } = useActions();
  return ({ id }) => {
    const feed = document.querySelector('[role=feed]');
    if (detailsOpen && feed?.checkVisibility() === false) toggleDetails();
    control.jumpTo(id);
    requestAnimationFrame(() => articleOf(id)?.focus({ preventScroll: true }));
  };
}
