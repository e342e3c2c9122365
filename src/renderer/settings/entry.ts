import type { ComponentType } from 'react';
import type { Output } from '../../bridge/contract.ts';
import type { Settings } from '../../bridge/settings.ts';
import type { Me } from '../../bridge/shapes/account.ts';
import type { LinkedSetting } from '../shared/setting-names.ts';

/** Facts that decide on the visible settings and their contents. */
export interface SettingsFacts {
  me: Me;
  host: Output<'host.info'>;
  settings: Settings;
  /** A server without the account provides no devices and keys. */
  isDeleted: boolean;
  /** False on a computer that the server no longer accepts. */
  mayAct: boolean;
}

/** Props of a setting. */
export interface SettingProps extends SettingsFacts {
  set: (changes: Partial<Settings>) => void;
  /** Opens another setting. */
  show: (name: LinkedSetting) => void;
  /** True while the deletion of all data on this computer is being confirmed. */
  isWiping: boolean;
  setIsWiping: (isWiping: boolean) => void;
}

/** A setting in the table of a section: its name, search words, and component. */
export interface SettingRow {
  name: string;
  title: string;
  /** Further search words. */
  words: string;
  View: ComponentType<SettingProps>;
  /** Always visible if absent. */
  isThere?: (facts: SettingsFacts) => boolean;
}
