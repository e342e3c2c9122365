/**
 * The interface on a real engine: the page script of the browser host, then the product's own entry.
 */
import '../../src/browser-host/page/index.ts';
import '../../src/renderer/main.tsx';
