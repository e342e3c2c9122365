import encodeQR from 'qr';
import { useMemo } from 'react';
import { classNames } from './class-names.ts';

interface QrCodeProps {
  /** Its contents. */
  text: string;
  /** The accessible name. */
  label: string;
  className?: string;
}

/** A QR code, dark on light in both themes: cameras expect that. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      aria-label={label}
      className={classNames('rounded-menu', className)}
      role="img"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect fill="#ffffff" height={size} width={size} />
      <path d={path} fill="#000000" />
    </svg>
  );
}

/** One square for each dark module, with the quiet zone of four modules that the standard requires. */
function draw(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: rows.length, path };
}
