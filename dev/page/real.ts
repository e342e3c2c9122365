/**
 * The interface on a real engine: the page script of the browser host, then what the product starts with.
 */
import '../../src/browser-host/page/index.ts';
import '../../src/renderer/main.tsx';
