import { useMutation } from '@tanstack/react-query';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ChosenPicture } from '../../bridge/files.ts';
import { callBridge } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { classNames } from '../design/class-names.ts';
import { Dialog } from '../design/dialog.tsx';
import { writeFile } from '../shared/write-file.ts';
import { t } from '../words.tsx';
import { type Crop, MIDDLE } from './crop.ts';
import { CropFrame } from './crop-frame.tsx';
import { cropped, decode } from './draw.ts';

interface PictureEditorProps {
  /** True if there is one. */
  hasPicture: boolean;
  /** Circle for a person, rounded square for a group. */
  isRound: boolean;
  isCentered?: boolean;
  /** Sets a prepared picture; null removes it. */
  onSave: (picture: ChosenPicture | null) => Promise<unknown>;
}

/** Chooses, crops and removes the picture of a person or group. */
export function PictureEditor({ hasPicture, isRound, isCentered = false, onSave }: PictureEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [isBroken, setBroken] = useState(false);
  const remove = useMutation({
    mutationFn: () => onSave(null),
    meta: { showsFailure: true },
    // The button is gone then.
    onSuccess: () => choose.current?.focus(),
  });
  const open = async (file: File | undefined) => {
    if (!file) return;
    remove.reset();
    const decoded = await decode(file);
    setBroken(decoded === null);
    setPicture(decoded);
  };
  const close = () => {
    picture?.close();
    setPicture(null);
  };
  const problem = isBroken ? t('faces.broken') : remove.error?.message;
  return (
    <div className="flex flex-col gap-1.5">
      <div className={classNames('flex flex-wrap gap-2', isCentered && 'justify-center')}>
        <Button onClick={() => input.current?.click()} ref={choose} size="small">
          <ImageUp aria-hidden="true" className="size-3.5" />
          {t(hasPicture ? 'faces.change' : 'faces.choose')}
        </Button>
        {hasPicture && (
          <Button busy={remove.isPending} onClick={() => remove.mutate()} size="small" tone="quiet">
            <Trash2 aria-hidden="true" className="size-3.5" />
            {t('faces.remove')}
          </Button>
        )}
      </div>
      <p aria-live="polite" className="text-danger-ink text-secondary empty:hidden">
        {problem}
      </p>
      <input
        accept="image/*"
        aria-hidden="true"
        hidden
        onChange={({ target }) => {
          void open(target.files?.[0]);
          // The same file can be chosen again.
          target.value = '';
        }}
        ref={input}
        tabIndex={-1}
        type="file"
      />
      <Dialog
        finalFocus={() => choose.current}
        onClose={close}
        open={picture !== null}
        title={t('faces.cropTitle')}
        width="sm:w-[22rem]"
      >
        {picture && <CropForm isRound={isRound} onDone={close} onSave={onSave} picture={picture} />}
      </Dialog>
    </div>
  );
}

interface CropFormProps extends Pick<PictureEditorProps, 'isRound' | 'onSave'> {
  picture: ImageBitmap;
  onDone: () => void;
}

function CropForm({ picture, isRound, onSave, onDone }: CropFormProps) {
  const [crop, setCrop] = useState<Crop>(MIDDLE);
  const save = useMutation({
    mutationFn: async () => {
      const { blob, side } = await cropped(picture, crop);
      const id = await writeFile(await callBridge('pictures.begin', { size: blob.size }), blob);
      await onSave({ id, width: side, height: side });
    },
    meta: { showsFailure: true },
    onSuccess: onDone,
  });
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <CropFrame crop={crop} isRound={isRound} onCrop={setCrop} picture={picture} />
      <p aria-live="polite" className="text-danger-ink text-secondary empty:hidden">
        {save.error?.message}
      </p>
      <ButtonRow>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
        <Button busy={save.isPending} tone="primary" type="submit">
          {t('faces.save')}
        </Button>
      </ButtonRow>
    </form>
  );
}
