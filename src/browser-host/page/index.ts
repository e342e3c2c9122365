/** Runs in the page before the interface: creates `window.waxwing` over a WebSocket to the browser host. */
import { makePageBridge } from '../../bridge/page-bridge.ts';
import { obtainBearer } from './bearer.ts';
import { Connection } from './connection.ts';
import { hideNotice, showNotice } from './notice.ts';
import { followPermission, PageNotifications } from './notifications.ts';
import { t } from './words.ts';

const { bridge, emit } = makePageBridge((name, input) => connection.call(name, input));

const notifications = new PageNotifications({
  open: (conversationId) => emit('navigate.conversation', { conversationId }),
  onGone: (key, serial) => void connection.reportGone(key, serial),
});

const connection = new Connection({
  bearer: obtainBearer(),
  onEvent: emit,
  onNotice: (notice) => notifications.show(notice),
  onWithdrawn: (key) => notifications.withdraw(key),
  onCut: () => notifications.clear(),
  onState(state) {
    if (state === 'connected') hideNotice();
    if (state === 'resumed') {
      hideNotice();
      emit('bridge.resumed', {});
    }
    if (state === 'lost') {
      showNotice(t('browserHost.stopped'), t('browserHost.stoppedHelp'));
    }
    if (state === 'refused') {
      showNotice(t('browserHost.linkUsed'), t('browserHost.linkUsedHelp'));
    }
    if (state === 'ended') {
      showNotice(t('browserHost.ended'), t('browserHost.endedHelp'));
    }
  },
});

void followPermission((isAllowed) => connection.setMayNotify(isAllowed));

// A closed page could not remove them.
window.addEventListener('pagehide', () => notifications.clear());

// A new link in this tab changes only the fragment, for which a browser does not load a page.
window.addEventListener('hashchange', () => location.reload());

Object.defineProperty(window, 'waxwing', { value: bridge });
