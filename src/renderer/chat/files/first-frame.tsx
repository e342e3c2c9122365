import { useEffect, useRef } from 'react';

/** The first frame of an animation, which does not move. */
export function FirstFrame({ path, alt, className }: { path: string; alt: string; className: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const picture = new Image();
    picture.onload = () => {
      const { current } = canvas;
      if (!current) return;
      current.width = picture.naturalWidth;
      current.height = picture.naturalHeight;
      current.getContext('2d')?.drawImage(picture, 0, 0);
    };
    picture.src = path;
    return () => {
      picture.onload = null;
    };
  }, [path]);
  return <canvas aria-label={alt} className={className} ref={canvas} role="img" />;
}
