import { FileProblem } from './file-problem.tsx';
import { albumSpans } from './picture-box.ts';
import { PictureTile } from './picture-tile.tsx';
import type { FileOf } from './use-file.ts';

/** Several pictures in rows. Each is cut to its place, and whole in the viewer. */
export function Album({ pictures }: { pictures: readonly FileOf[] }) {
  const spans = albumSpans(pictures.length);
  return (
    <>
      <ul className="grid w-[22rem] max-w-full grid-cols-6 gap-1 overflow-hidden rounded-menu">
        {pictures.map((of, place) => {
          const span = spans[place] ?? 2;
          return (
            <li
              className="relative bg-sunken"
              key={of.index}
              style={{ aspectRatio: span === 6 ? 2 : 1, gridColumn: `span ${span}` }}
            >
              <PictureTile of={of} />
            </li>
          );
        })}
      </ul>
      {pictures.map((of) => (
        <FileProblem key={of.index} of={of} />
      ))}
    </>
  );
}
