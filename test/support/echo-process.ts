/**
 * @echo in its own process, so that a test can kill it. Takes its folder and the relay's URL.
 */
import { openEchoIdentity, startEcho } from '../../src/embedded/echo.ts';

const [dataDirectory = '', relayUrl = ''] = process.argv.slice(2);
await startEcho(openEchoIdentity(dataDirectory), relayUrl);
console.log('started');
