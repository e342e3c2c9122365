import { useEffect, useState } from 'react';

/** An address of bytes in memory while they are shown; null before it is there, and without bytes. */
export function useBlobAddress(blob: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return;
    const next = URL.createObjectURL(blob);
    setAddress(next);
    return () => {
      URL.revokeObjectURL(next);
      setAddress(null);
    };
  }, [blob]);
  return address;
}
