import { CopyButton } from '../design/copy-button.tsx';
import { addressGroups } from '../shared/address.ts';
import { t } from '../words.tsx';

/** A full address in groups of four, for comparing visually or aloud, with a copy button. */
export function AddressBlock({ address }: { address: string }) {
  return (
    <div className="relative flex w-full max-w-96 items-center gap-1 rounded-menu border border-line bg-raised py-2 pe-1.5 ps-3.5">
      {/* Five groups in a line, fewer with large text. */}
      <code className="grid min-w-0 flex-1 grid-cols-[repeat(auto-fill,minmax(max(4ch,16.5%),1fr))] gap-x-2 font-mono text-secondary">
        <span className="sr-only">{address}</span>
        {addressGroups(address).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups never move
          <span aria-hidden="true" key={index}>
            {group}
          </span>
        ))}
      </code>
      <CopyButton label={t('people.copyAddress')} text={address} />
    </div>
  );
}
