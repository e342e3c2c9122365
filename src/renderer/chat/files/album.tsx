import { FileProblem } from './file-problem.tsx';
import { albumPlaces } from './picture-box.ts';
import { PictureTile } from './picture-tile.tsx';
import type { FileOf } from './use-file.ts';

/** Several pictures in rows. Each is cut to its place, and whole in the viewer. */
export function Album({ pictures }: { pictures: readonly FileOf[] }) {
  const places = albumPlaces(pictures.length);
  return (
    <>
      <ul className="grid w-[22rem] max-w-full grid-cols-6 gap-1 overflow-hidden rounded-menu">
        {pictures.map((of, index) => {
          const { columns, rows, aspectRatio } = places[index] ?? { columns: 2, rows: 1, aspectRatio: 1 };
          return (
            <li
              className="relative bg-sunken"
              key={of.index}
              style={{
                ...(aspectRatio !== null && { aspectRatio }),
                gridColumn: `span ${columns}`,
                gridRow: `span ${rows}`,
              }}
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
