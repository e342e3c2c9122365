import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { ConnectProxy } from '../../support/private-network.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

test('another server is reached through Chromium’s proxy', async () => {
  using folder = temporaryFolder();
  await using proxy = await new ConnectProxy(0).start();
  proxy.refusal = 403;
  const { electron, app } = start(folder.path);
  electron.app.becomeReady();
  await app.ready;
  electron.session.proxy = `PROXY 127.0.0.1:${proxy.port}; DIRECT`;
  const page = await preload(electron);
  expect(await page.calls['relay.check']({ url: 'https://relay.example' })).toMatchObject({
    value: { problem: { code: 'proxy_refused' } },
  });
  expect(proxy.requests).toEqual(['relay.example:443']);
  await quit(electron, folder.path);
});
