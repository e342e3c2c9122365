/**
 * Parts that fill or cover the window: dialogs, steps of first run, and the app with something open in it.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { App } from '../../src/renderer/app/app.tsx';
import { ErrorBoundary } from '../../src/renderer/app/error-boundary.tsx';
import { Button } from '../../src/renderer/design/button.tsx';
import { Confirmation, Dialog } from '../../src/renderer/design/dialog.tsx';
import { Opening } from '../../src/renderer/design/opening.tsx';
import { SecretReveal } from '../../src/renderer/design/secret-reveal.tsx';
import { ConfirmPhraseStep } from '../../src/renderer/first-run/confirm-phrase-step.tsx';
import { IdentityStep } from '../../src/renderer/first-run/identity-step.tsx';
import { ImportStep } from '../../src/renderer/first-run/import-step.tsx';
import { LinkStep } from '../../src/renderer/first-run/link-step.tsx';
import { PhraseStep } from '../../src/renderer/first-run/phrase-step.tsx';
import { ProfileStep } from '../../src/renderer/first-run/profile-step.tsx';
import { RelayStep } from '../../src/renderer/first-run/relay-step.tsx';
import type { Entries, StepProps } from '../../src/renderer/first-run/step.ts';
import type { SceneName } from '../scenes/index.ts';
import type { AloneName } from './alone.ts';
import type { AloneSpecimen } from './specimen.ts';

const nothing = () => undefined;
const DIGITS = '0123456789'.repeat(6);

const ENTRIES: Entries = {
  relay: 'url',
  url: 'https://relay.example',
  invite: null,
  identity: 'new',
  writtenDown: false,
  answers: ['', '', ''],
  invitation: '',
  secret: '',
  without: [],
};

interface StepFrameProps {
  typed: Partial<Entries>;
  draw: (props: StepProps) => ReactNode;
}

/** A step that keeps the typed text. */
function Step({ typed, draw }: StepFrameProps) {
  const [entries, setEntries] = useState<Entries>({ ...ENTRIES, ...typed });
  const change = (next: Partial<Entries>) => setEntries((before) => ({ ...before, ...next }));
  return draw({ entries, change, onBack: nothing, onNext: nothing });
}

function step(draw: StepFrameProps['draw'], typed: Partial<Entries> = {}): AloneSpecimen {
  return { scene: 'first-run', show: () => <Step draw={draw} typed={typed} /> };
}

const refused = { busy: false, problem: 'The server refused it.' };

interface PressedProps {
  /** Present before the keys are pressed. */
  after: string;
  keys?: string;
  /** Clicked in its place. */
  click?: string;
}

/** The app, in which keys are pressed when it is there: most dialogs have a shortcut. */
function Pressed({ after, keys, click }: PressedProps) {
  useEffect(() => {
    const press = () => {
      if (!document.querySelector(after)) return;
      watch.disconnect();
      if (keys) window.dispatchEvent(new KeyboardEvent('keydown', { key: keys, ctrlKey: true }));
      if (click) document.querySelector<HTMLElement>(click)?.click();
    };
    const watch = new MutationObserver(press);
    watch.observe(document.body, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [after, keys, click]);
  return <App />;
}

function pressed(scene: SceneName, props: PressedProps): AloneSpecimen {
  return { scene, show: () => <Pressed {...props} /> };
}

/** A dialog has a page behind it. */
function over(cover: ReactNode): AloneSpecimen {
  return {
    scene: 'one',
    show: () => (
      <main className="gallery">
        <h1>Gallery</h1>
        {cover}
      </main>
    ),
  };
}

/** As a component of ours that breaks while it is drawn. */
function Breaking(): ReactNode {
  throw new RangeError('This breaks, so that its looks can be seen.');
}

const LIST = '[data-row]';
const COMPOSER = 'main section header';

export const aloneSpecimens: Record<AloneName, AloneSpecimen> = {
  dialog: over(
    <Dialog onClose={nothing} open title="A dialog">
      <div className="p-5">
        <p>{'Words that fill it. '.repeat(200)}</p>
        <Button>Something to press</Button>
      </div>
    </Dialog>,
  ),
  confirmation: over(
    <Confirmation
      action="Do it"
      explanation="What is gone then cannot be brought back."
      onClose={nothing}
      open
      title={`Do away with ${'Waxwing '.repeat(8)}?`}
    />,
  ),
  'secret reveal': over(
    <SecretReveal
      examples={[{ title: 'With curl', text: `curl -H "authorization: Bearer ${DIGITS}"` }]}
      explanation="Keep it to yourself."
      finalFocus={{ current: null }}
      onDone={nothing}
      secrets={[
        { label: 'Token', text: DIGITS },
        { label: 'Key', text: `wxb_${'0123456789'.repeat(4)}012` },
      ]}
      title="A secret"
    />,
  ),
  'first run: server': step((props) => (
    <RelayStep
      {...props}
      links={{ entered: null, others: [] }}
      onEntered={nothing}
      relays={{ embedded: true, fixed: null }}
    />
  )),
  'first run: identity': step((props) => <IdentityStep {...props} />),
  'first run: phrase': step((props) => <PhraseStep {...props} />),
  'first run: confirm': step((props) => <ConfirmPhraseStep {...props} {...refused} />),
  'first run: import': step((props) => <ImportStep {...props} {...refused} />, { secret: 'too few' }),
  'first run: link': step((props) => <LinkStep {...props} {...refused} onJoin={nothing} />),
  'first run: profile': { scene: 'handle', show: () => <ProfileStep /> },
  opening: { scene: 'one', show: () => <Opening /> },
  'something went wrong': {
    scene: 'one',
    show: () => (
      <ErrorBoundary>
        <Breaking />
      </ErrorBoundary>
    ),
  },
  'settings in a browser': pressed('one', { after: LIST, keys: ',' }),
  'settings on macOS': pressed('desktop', { after: LIST, keys: ',' }),
  'settings on Windows': pressed('desktop-windows', { after: LIST, keys: ',' }),
  'new chat': pressed('many', { after: LIST, keys: 'n' }),
  groups: pressed('many', { after: LIST, click: 'nav header button' }),
  'command palette': pressed('many', { after: LIST, keys: 'k' }),
  'details of a contact': pressed('offline', { after: COMPOSER, keys: '.' }),
  'details of a contact with two lists': pressed('fork', { after: COMPOSER, keys: '.' }),
  'details of a group': pressed('group', { after: COMPOSER, keys: '.' }),
};
