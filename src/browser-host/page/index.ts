/**
 * Runs in the page before the interface: makes `window.waxwing`, carried by a WebSocket to the browser host.
 */
import { makePageBridge } from '../../bridge/page-bridge.ts';
import { obtainBearer } from './bearer.ts';
import { Connection } from './connection.ts';
import { hideNotice, showNotice } from './notice.ts';

const { bridge, tell } = makePageBridge((name, input) => connection.call(name, input));

const connection = new Connection({
  bearer: obtainBearer(),
  onEvent: tell,
  onState(state) {
    if (state === 'connected') hideNotice();
    if (state === 'resumed') {
      hideNotice();
      tell('bridge.resumed', {});
    }
    if (state === 'lost') {
      showNotice(
        'Waxwing is not running',
        'The program that this page belongs to has stopped, or cannot be reached. The page goes on by itself once it is reached again. If you start Waxwing anew, open the link that it prints.',
      );
    }
    if (state === 'refused') {
      showNotice(
        'This link does not work any more',
        'Each link opens Waxwing once, and for ten minutes. Go to the terminal where Waxwing runs, press Enter, and open the new link.',
      );
    }
  },
});

// A new link that is opened in this tab changes nothing but the fragment, for which a browser does not load a page.
window.addEventListener('hashchange', () => location.reload());

Object.defineProperty(window, 'waxwing', { value: bridge });
