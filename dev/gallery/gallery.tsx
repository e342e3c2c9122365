/**
 * The gallery: every component of src/renderer/design, and the larger ones in their main states. `?show=` with the name
 * of one that fills the window shows it alone.
 */
import { createRoot } from 'react-dom/client';
import { LockGate } from '../../src/renderer/lock/lock-gate.tsx';
import { NavigationProvider } from '../../src/renderer/shared/navigation.tsx';
import { useAppearance } from '../../src/renderer/shared/use-appearance.ts';
import '../../src/renderer/styles.css';
import { queryValue } from '../page/address.ts';
import { install } from '../page/install.ts';
import { type AloneName, alone } from './alone.ts';
import './gallery.css';
import type { AloneSpecimen, Specimen } from './specimen.ts';
import { specimens } from './specimens.ts';
import { aloneSpecimens } from './windows.tsx';

function Gallery() {
  useAppearance();
  return (
    <main className="gallery">
      <h1>Gallery</h1>
      <ul>
        {alone.map((name) => (
          <li key={name}>
            <Link name={name} />
          </li>
        ))}
      </ul>
      {specimens.map((each) => (
        <Frame key={each.name} {...each} />
      ))}
    </main>
  );
}

function Link({ name }: { name: AloneName }) {
  const address = new URL(window.location.href);
  address.searchParams.set('show', name);
  return <a href={address.href}>{name}</a>;
}

function Frame({ name, show }: Specimen) {
  return (
    <section aria-label={name} className="specimen" data-specimen={name}>
      <h2>{name}</h2>
      <div className="stage">{show()}</div>
    </section>
  );
}

function Alone({ show }: AloneSpecimen) {
  useAppearance();
  return show();
}

const name = alone.find((name) => name === queryValue('show'));
const shown = name && aloneSpecimens[name];
install(shown?.scene ?? 'offline');
const root = document.getElementById('root');
if (!root) throw new Error('gallery.html has no element with the id "root".');
// Deliberate errors are caught and not reported.
createRoot(root, { onCaughtError: () => undefined }).render(
  <LockGate>
    {shown ? (
      <Alone {...shown} />
    ) : (
      <NavigationProvider deviceId="gallery">
        <Gallery />
      </NavigationProvider>
    )}
  </LockGate>,
);
