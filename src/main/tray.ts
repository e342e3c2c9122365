/**
 * The tray icon: what is unread, whether the relay is there, and the way back to the window.
 */
import type { Tray } from 'electron';
import type { Connection } from '../bridge/shapes.ts';
import type { ElectronParts } from './electron.ts';

export interface TrayState {
  unread: number;
  connection: Connection['state'];
}

const CONNECTIONS: Record<Connection['state'], string> = {
  online: 'Connected',
  connecting: 'Connecting…',
  offline: 'The relay cannot be reached',
};

export interface WaxwingTray {
  show(state: TrayState): void;
}

/**
 * Puts the icon in the tray.
 * @param icons paths of the image files
 */
export function createTray(
  { Tray, Menu, nativeImage }: ElectronParts,
  icons: { idle: string; unread: string },
  actions: { open: () => void; quit: () => void },
): WaxwingTray {
  const idle = nativeImage.createFromPath(icons.idle);
  const unread = nativeImage.createFromPath(icons.unread);
  const tray: Tray = new Tray(idle);
  tray.on('click', actions.open);
  const show = (state: TrayState) => {
    tray.setImage(state.unread > 0 ? unread : idle);
    const messages = state.unread === 0 ? '' : ` — ${state.unread} unread`;
    tray.setToolTip(`Waxwing${messages}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Waxwing', click: actions.open },
        { type: 'separator' },
        { label: CONNECTIONS[state.connection], enabled: false },
        { type: 'separator' },
        { label: 'Quit', click: actions.quit },
      ]),
    );
  };
  show({ unread: 0, connection: 'connecting' });
  return { show };
}
