import type { ComponentType } from 'react';
import type { Output } from '../../bridge/contract.ts';
import type { Me, Settings } from '../../bridge/shapes.ts';
import type { SectionName, SettingName } from '../shared/setting-names.ts';

/** What decides which settings there are, and what they hold. */
export interface SettingsFacts {
  me: Me;
  host: Output<'host.info'>;
  settings: Settings;
  /** A server that has no account tells nothing of its devices and keys. */
  isDeleted: boolean;
}

/** What a setting is drawn with. */
export interface SettingProps extends SettingsFacts {
  set: (changes: Partial<Settings>) => void;
  /** Leads to another setting. */
  show: (name: SettingName) => void;
  /** Whether the deletion of all that is on this computer is being asked about. */
  isWiping: boolean;
  setIsWiping: (isWiping: boolean) => void;
}

/** One place in Settings: what it is called, what else finds it, and its look. */
export interface SettingEntry {
  name: SettingName;
  section: SectionName;
  title: string;
  /** Other words that people look for. */
  words: string;
  View: ComponentType<SettingProps>;
  /** Always, if it does not say. */
  isThere?: (facts: SettingsFacts) => boolean;
}
