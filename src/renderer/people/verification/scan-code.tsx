import { Camera as CameraIcon, ImageUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { t } from '../../words.tsx';
import { Camera } from './camera.tsx';
import { addressInCode } from './contact-code.ts';
import { readCode } from './read-code.ts';

/** Reads someone's code: with the camera, or from a picture of it. */
export function ScanCode({ onAddress }: { onAddress: (address: string) => void }) {
  const [isScanning, setIsScanning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const acceptCode = (text: string | null) => {
    const address = text === null ? null : addressInCode(text);
    if (address !== null) {
      setProblem(null);
      onAddress(address);
      return;
    }
    setProblem(text === null ? t('people.pictureNoCode') : t('people.pictureOtherCode'));
  };
  const readFile = async (chosen: File) => {
    setProblem(null);
    try {
      acceptCode(await readCode(await createImageBitmap(chosen)));
    } catch {
      setProblem(t('people.pictureBroken'));
    }
  };
  return (
    <div className="flex flex-col gap-3">
      {isScanning && <Camera onCode={acceptCode} />}
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            setProblem(null);
            setIsScanning(!isScanning);
          }}
          size="small"
        >
          <CameraIcon aria-hidden="true" className="size-4" />
          {isScanning ? t('people.scanStop') : t('people.scanStart')}
        </Button>
        <Button onClick={() => file.current?.click()} size="small">
          <ImageUp aria-hidden="true" className="size-4" />
          {t('people.scanPicture')}
        </Button>
      </div>
      <input
        accept="image/*"
        aria-label={t('people.scanPictureLabel')}
        className="hidden"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          // Allows choosing the same file again.
          target.value = '';
          if (chosen) void readFile(chosen);
        }}
        ref={file}
        type="file"
      />
      <p aria-live="polite" className="text-danger-ink empty:hidden">
        {problem}
      </p>
    </div>
  );
}
