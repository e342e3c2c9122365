/** Electron's menus: valid templates, and a person's choices. */
import type * as Electron from 'electron';
import { refuseUnknown } from './declarations.ts';
import { asElectron, behind, DeclaredEmitter } from './strict.ts';

type Template = (Electron.MenuItemConstructorOptions | Electron.MenuItem)[];

const TYPES = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'];

export class MenuDouble extends DeclaredEmitter implements Pick<Electron.Menu, 'popup'> {
  readonly template: Electron.MenuItemConstructorOptions[];
  /** True if it opened at the pointer. */
  isOpen = false;

  constructor(template: Template, platform: NodeJS.Platform) {
    super('Menu', platform);
    if (!Array.isArray(template)) {
      throw new TypeError('Invalid template for Menu: Menu template must be an array');
    }
    this.template = template.map((item) => checked(item, platform));
  }

  popup(options: Electron.PopupOptions = {}): void {
    refuseUnknown(options, 'PopupOptions');
    this.isOpen = true;
  }

  get labels(): string[] {
    return this.template.map(({ label, role, type }) => label ?? role ?? type ?? '');
  }

  /** All items, including those of submenus. */
  get #items(): Electron.MenuItemConstructorOptions[] {
    return this.template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? item.submenu : [])]);
  }

  /** Roles of items that the system handles, such as copying. */
  get roles(): string[] {
    return this.#items.flatMap(({ role }) => role ?? []);
  }

  /** Key combinations of a role, other than its default. Includes hidden items that only have keys. */
  keysOf(role: string): string[] {
    return this.#items.flatMap((item) => {
      const works = item.visible !== false || item.acceleratorWorksWhenHidden !== false;
      return item.role === role && works ? (item.accelerator ?? []) : [];
    });
  }

  /** Drives: the person picks an item, also of a submenu. */
  click(label: string): void {
    const item = this.#items.find((each) => each.label === label);
    if (!item || item.enabled === false) throw new Error(`${label} cannot be clicked`);
    // The app's handlers ignore Electron's arguments.
    (item.click as (() => void) | undefined)?.();
  }
}

/** @throws the real one's errors, and for unknown options, which it ignores */
function checked(item: Template[number], platform: NodeJS.Platform): Electron.MenuItemConstructorOptions {
  if (item.type !== 'separator' && !Object.hasOwn(item, 'label') && !Object.hasOwn(item, 'role')) {
    throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
  }
  refuseUnknown(item, 'MenuItemConstructorOptions');
  if (item.type !== undefined && !TYPES.includes(item.type)) {
    throw new Error(`Unknown menu item type: ${item.type}`);
  }
  if (item.type === 'submenu' && item.submenu === undefined) throw new Error('Invalid submenu');
  if (Array.isArray(item.submenu)) new MenuDouble(item.submenu, platform);
  return item as Electron.MenuItemConstructorOptions;
}

/** The class `Menu`, with its functions for the whole app. */
export function menuClass(platform: NodeJS.Platform) {
  return class AppMenu extends MenuDouble {
    /** The application menu; undefined until it is set: Electron then shows its default. */
    static applicationMenu: MenuDouble | null | undefined;
    /** All that were made. */
    static readonly menus: MenuDouble[] = [];

    constructor() {
      super([], platform);
    }

    static buildFromTemplate(template: Template): Electron.Menu {
      const menu = new MenuDouble(template, platform);
      AppMenu.menus.push(menu);
      return asElectron<Electron.Menu>(menu, 'Menu', platform);
    }

    static setApplicationMenu(menu: Electron.Menu | null): void {
      const double = behind(menu);
      if (double !== null && !(double instanceof MenuDouble)) throw new TypeError('Invalid menu');
      AppMenu.applicationMenu = double;
    }
  };
}
