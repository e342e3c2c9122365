import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useId, useState } from 'react';
import type { Output } from '../../bridge/contract.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';

export type Minted = Output<'groups.mintToken'>;

/** Shows a secret once. It goes away by its button alone, after the person has said that it is kept. */
export function TokenReveal({ minted, onDone }: { minted: Minted; onDone: () => void }) {
  const [isKept, setIsKept] = useState(false);
  const checkbox = useId();
  const { relayUrl, secret, token } = minted;
  const example = `export WAXWING_RELAY=${relayUrl}\nexport WAXWING_GROUP_TOKEN=…\nwaxwing send "Hello from ${token.name}"`;
  const check = `curl ${relayUrl}/api/v1/me \\\n  -H "Authorization: Bearer $WAXWING_GROUP_TOKEN"`;
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="appear-plain fixed inset-0 z-40 bg-[rgb(30_20_12/0.4)]" />
        <AlertDialog.Popup className="appear fixed inset-x-0 z-40 mx-auto flex max-h-dvh w-full max-w-[32rem] flex-col gap-3 overflow-y-auto bg-surface p-5 text-ink shadow-floating outline-none max-sm:bottom-0 max-sm:rounded-t-2xl sm:top-[max(1rem,8dvh)] sm:max-h-[84dvh] sm:rounded-2xl">
          <AlertDialog.Title className="font-semibold text-base">
            The token for <bdi>{token.name}</bdi>
          </AlertDialog.Title>
          <AlertDialog.Description className="text-ink-soft leading-relaxed">
            This is the only time that it is shown. Whoever has it can post into this group in your name.
          </AlertDialog.Description>
          <div className="flex items-center gap-1 rounded-2xl border border-line bg-raised py-2 pr-1.5 pl-3.5">
            <code className="min-w-0 flex-1 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
              {secret}
            </code>
            <CopyButton label="Copy token" text={secret} />
          </div>
          <Example text={example} title="Post with the command line" />
          <Example text={check} title="See whether it works, with curl" />
          <label className="flex items-center gap-2.5" htmlFor={checkbox}>
            <input
              checked={isKept}
              className="size-4 accent-wax"
              id={checkbox}
              onChange={(event) => setIsKept(event.target.checked)}
              type="checkbox"
            />
            I have kept it in a safe place
          </label>
          <div className="flex justify-end">
            <Button disabled={!isKept} onClick={onDone} tone="primary">
              Done
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Example({ title, text }: { title: string; text: string }) {
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex items-center justify-between font-semibold text-[0.8125rem]">
        {title}
        <CopyButton label={`Copy: ${title}`} text={text} />
      </figcaption>
      <pre className="overflow-x-auto rounded-xl bg-sunken p-3 font-mono text-xs leading-relaxed">{text}</pre>
    </figure>
  );
}
