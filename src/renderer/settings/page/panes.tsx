import { Dialog } from '@base-ui/react/dialog';
import { ArrowLeft } from 'lucide-react';
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Settings } from '../../../bridge/settings.ts';
import type { Me } from '../../../bridge/shapes/account.ts';
import { useBridgeQuery } from '../../bridge.ts';
import { classNames } from '../../design/class-names.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { announce } from '../../shared/announcements.tsx';
import { type SectionName, sectionNames } from '../../shared/setting-names.ts';
import { useFocusKept } from '../../shared/use-focus-kept.ts';
import { useSettings } from '../../shared/use-settings.ts';
import { useMayAct } from '../../shared/use-shut-out.ts';
import { t } from '../../words.tsx';
import { entries, type SettingEntry, type SettingName, sectionTitles } from '../entries.ts';
import type { SettingProps, SettingsFacts } from '../entry.ts';
import { findSettings } from '../find-settings.ts';
import { FoundSettings, LineList } from './lines.tsx';
import { Setting } from './setting.tsx';

/** Time of the mark on a setting opened by search or link, in milliseconds. */
const MARKED_FOR = 2_000;

interface PanesProps {
  me: Me;
  target: SettingName | null;
  back: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The current place in Settings. `at`: a setting opened by a search or a link, which is marked. */
interface Place {
  section: SectionName;
  at: SettingName | null;
  /** The visible pane if there is room for one. */
  pane: 'list' | 'section';
  /** Counts opened settings: the same one may be opened again. */
  visit: number;
}

function placeOf(name: SettingName | null, visit = 0): Place {
  const entry = entries.find((each) => each.name === name);
  return entry
    ? { section: entry.section, at: entry.name, pane: 'section', visit }
    : { section: 'account', at: null, pane: 'list', visit };
}

/** The list of sections with its search, and the current section beside it. */
export function Panes({ me, target, back, onClose }: PanesProps) {
  const { settings, set } = useSettings();
  const facts = useFacts(me, settings);
  const [place, setPlace] = useState(() => placeOf(target));
  const [text, setText] = useState('');
  const [isWiping, setIsWiping] = useState(false);
  const list = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const panes = useRef<HTMLDivElement>(null);
  useFocusKept(panes, title);
  /** True after the person has moved between the panes. */
  const moved = useRef(false);
  const { at, visit } = place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a setting that is found again is marked for the full time again
  useEffect(() => {
    if (at === null) return;
    const timer = setTimeout(() => setPlace((before) => ({ ...before, at: null })), MARKED_FOR);
    return () => clearTimeout(timer);
  }, [at, visit]);
  const there = facts ? entries.filter(({ isThere }) => isThere?.(facts) ?? true) : [];
  const sections = sectionNames.filter((name) => there.some((entry) => entry.section === name));
  // The opened setting may be missing, such as the devices of a deleted account.
  const section = sections.includes(place.section) ? place.section : 'account';
  const found = findSettings(there, sectionTitles, text);
  const showSection = (name: SectionName) => {
    moved.current = true;
    setPlace((before) => ({ ...before, section: name, at: null, pane: 'section' }));
  };
  const show = (name: SettingName) => setPlace((before) => placeOf(name, before.visit + 1));
  const showList = () => {
    moved.current = true;
    setPlace((before) => ({ ...before, pane: 'list' }));
  };
  useLayoutEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    // With room for one pane, the pressed button is gone, and the focus with it.
    if (place.pane === 'list') list.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
    else if (!list.current?.checkVisibility()) title.current?.focus();
    // The focus stays in the list, and the section beside it changes.
    else announce(sectionTitles[place.section]);
  }, [place]);
  const openEntry = (entry: SettingEntry | undefined) => entry && show(entry.name);
  const isList = place.pane === 'list';
  return (
    <>
      <div className="flex min-h-14 shrink-0 items-center gap-2 px-3 @min-[47.5rem]:px-4">
        <IconButton
          className={isList ? '' : '@max-[47.5rem]:hidden'}
          icon={ArrowLeft}
          label={t('settings.close')}
          onClick={onClose}
        />
        {!isList && (
          <IconButton
            className="@min-[47.5rem]:hidden"
            icon={ArrowLeft}
            label={t('common.back')}
            onClick={showList}
            ref={back}
          />
        )}
        <Dialog.Title className="font-semibold text-dialog">{t('settings.settings')}</Dialog.Title>
      </div>
      <div className="flex min-h-0 flex-1" ref={panes}>
        <nav
          aria-label={t('settings.sections')}
          className={classNames(
            'flex w-full shrink-0 flex-col gap-3 overflow-y-auto px-3 pt-1 pb-6 @min-[47.5rem]:w-[16rem] @min-[47.5rem]:border-line @min-[47.5rem]:border-e',
            !isList && '@max-[47.5rem]:hidden',
          )}
          ref={list}
        >
          <SearchField
            label={t('settings.search')}
            onChange={setText}
            onEnterList={() => list.current?.querySelector<HTMLElement>('li button')?.focus()}
            onOpenFirst={() => openEntry(found[0])}
            placeholder={t('settings.search')}
            value={text}
          />
          {text.trim() === '' ? (
            <LineList
              label={t('settings.sections')}
              lines={sections.map((name) => ({
                key: name,
                title: sectionTitles[name],
                isCurrent: name === section,
                onOpen: () => showSection(name),
              }))}
            />
          ) : (
            <FoundSettings
              found={found}
              onOpen={openEntry}
              sectionOf={(entry) => sectionTitles[entry.section]}
              text={text}
            />
          )}
        </nav>
        <div
          className={classNames(
            'min-w-0 flex-1 overflow-y-auto overscroll-contain',
            isList && '@max-[47.5rem]:hidden',
          )}
          // A new section starts at its top.
          key={section}
        >
          <section aria-labelledby={titleId} className="flex flex-col gap-8 px-6 pt-2 pb-10">
            <h3 className="font-semibold text-pane outline-none" id={titleId} ref={title} tabIndex={-1}>
              {sectionTitles[section]}
            </h3>
            {facts ? (
              <Section
                place={place}
                entries={there.filter((entry) => entry.section === section)}
                given={{ ...facts, set, show, isWiping, setIsWiping }}
              />
            ) : (
              <Skeleton className="h-48" />
            )}
          </section>
        </div>
      </div>
    </>
  );
}

interface SectionProps {
  entries: readonly SettingEntry[];
  place: Place;
  given: SettingProps;
}

function Section({ entries, place: { at, visit }, given }: SectionProps) {
  return entries.map(({ name, View }) => (
    <Setting key={name} name={name} visit={at === name ? visit : null}>
      <View {...given} />
    </Setting>
  ));
}

/** Null until all of them are known. */
function useFacts(me: Me, settings: Settings | undefined): SettingsFacts | null {
  const { data: host } = useBridgeQuery('host.info', {});
  const { data: state } = useBridgeQuery('app.state', {});
  const mayAct = useMayAct();
  if (!host || !settings || !state) return null;
  return { me, host, settings, isDeleted: state.deletion?.kind === 'done', mayAct };
}
