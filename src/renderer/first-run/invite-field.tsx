import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { isSameInvite } from '../../base/invite-in.ts';
import { shortAddress } from '../../base/person-name.ts';
import { longest } from '../../bridge/longest.ts';
import type { OpenedLink } from '../../bridge/shapes/app.ts';
import type { ReadInvite } from '../../bridge/shapes/invite.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { looksLikeInvite } from '../invites/looks-like-invite.ts';
import { addressInCode } from '../people/verification/contact-code.ts';
import { t } from '../words.tsx';
import type { EntryInvite, Relays } from './step.ts';

interface InviteFieldProps {
  relays: Relays;
  /** The invite link whose server the person has agreed to. */
  invite: EntryInvite | null;
  /** The pasted text; null while the field is not shown. */
  text: string | null;
  onText: (text: string | null) => void;
  /** True after an attempt to continue with a text that is not used. */
  isRequired: boolean;
  field: RefObject<HTMLInputElement | null>;
  onUse: (invite: EntryInvite, code: string | null) => void;
  /** Receives a pasted invitation code; null while the form has no field for it. */
  onCode: ((code: string) => void) | null;
  onRemove: () => void;
  /** Opened from outside meanwhile. They are opened after set-up. */
  others: OpenedLink[];
}

/** An invite link, pasted or opened from outside. Its server is used, and contacted, only after the person agrees. */
export function InviteField(props: InviteFieldProps) {
  const { relays, invite, text, isRequired, field, onText, onUse, onCode, onRemove, others } = props;
  const opener = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);
  const isOpenerShown = invite === null && text === null;
  useEffect(() => {
    if (!isOpenerShown || !returnsFocus.current) return;
    returnsFocus.current = false;
    opener.current?.focus();
  }, [isOpenerShown]);
  const current = invite?.text ?? text ?? '';
  const waiting = others.find((each) => each.kind === 'invite' && !isSameInvite(each.text, current));
  const other = waiting?.kind === 'invite' ? waiting.text : null;
  // A typed or agreed link is not replaced unnoticed: the others wait for the end of set-up.
  const place = useEffectEvent((link: string) => {
    if (invite === null && !text?.trim()) onText(link);
  });
  useEffect(() => {
    if (other !== null) place(other);
  }, [other]);
  const close = () => {
    returnsFocus.current = other === null;
    onText(other);
    field.current?.focus();
  };
  if (invite) {
    const remove = () => {
      onRemove();
      close();
    };
    return <Used invite={invite} onRemove={remove} />;
  }
  if (text === null) {
    return (
      <div>
        <Button onClick={() => onText('')} ref={opener} size="small" tone="quiet">
          {t('firstRun.invite')}
        </Button>
      </div>
    );
  }
  const replace = (link: string) => {
    onText(link);
    field.current?.focus();
  };
  const given = { field, fixed: relays.fixed, isRequired, onCode, onText, onUse, text };
  return (
    <Field {...given} onClose={close}>
      {other !== null && (
        <div className="flex flex-col items-start gap-2">
          <p role="status">{t('firstRun.inviteOther')}</p>
          <Button onClick={() => replace(other)} size="small">
            {t('firstRun.inviteReplace')}
          </Button>
        </div>
      )}
    </Field>
  );
}

function Used({ invite, onRemove }: { invite: EntryInvite; onRemove: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  }, []);
  return (
    <div
      className="flex flex-wrap items-center justify-between gap-2 rounded-menu border border-line p-3.5 outline-none"
      ref={place}
      tabIndex={-1}
    >
      <p className="min-w-0 [overflow-wrap:anywhere]" role="status">
        {invite.address === null
          ? t('firstRun.inviteUsedGroup')
          : t('firstRun.inviteUsed', { address: shortAddress(invite.address) })}
      </p>
      <Button onClick={onRemove} size="small">
        {t('firstRun.inviteRemove')}
      </Button>
    </div>
  );
}

interface FieldProps extends Pick<InviteFieldProps, 'isRequired' | 'field' | 'onCode' | 'onText' | 'onUse'> {
  /** The server given by the start of the app; null if the person chooses it. */
  fixed: string | null;
  text: string;
  onClose: () => void;
  /** Shown under the field. */
  children: ReactNode;
}

function Field(props: FieldProps) {
  const { children, fixed, text, isRequired, field, onClose, onCode, onText, onUse } = props;
  const wanted = text.trim();
  const misplaced = misplacedText(wanted);
  const enabled = wanted !== '' && misplaced === null;
  const { data, error } = useBridgeQuery('invites.read', { text: wanted }, { enabled });
  useEffect(() => field.current?.focus(), [field]);
  const isElsewhere = data !== undefined && fixed !== null && !isSameOrigin(fixed, data.server);
  const note = () => {
    if (wanted === '') return t('firstRun.inviteHint');
    if (misplaced?.kind === 'code') return t(onCode ? 'firstRun.inviteIsCode' : 'firstRun.inviteIsCodeFirst');
    if (misplaced) return t('firstRun.inviteIsContact');
    if (error) return error.message;
    if (isElsewhere)
      return t('firstRun.inviteElsewhere', { server: hostOf(data.server), own: hostOf(fixed) });
    return isRequired ? t('firstRun.inviteUnused') : '';
  };
  const usable = data && !isElsewhere && enabled ? data : null;
  const isProblem = wanted !== '' && (misplaced !== null || Boolean(error) || isElsewhere || isRequired);
  const use = (invite: ReadInvite) =>
    onUse(
      {
        text: wanted,
        server: invite.server,
        address: invite.to === 'person' ? invite.address : null,
      },
      invite.invitation,
    );
  return (
    <div className="flex flex-col gap-3 rounded-menu border border-line p-4">
      <TextField
        label={t('firstRun.inviteField')}
        maxLength={longest.invite}
        note={note()}
        noteTone={isProblem ? 'problem' : 'hint'}
        onChange={(event) => onText(event.target.value)}
        // Enter would continue with the server chosen above.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
        ref={field}
        value={text}
      />
      {usable && (
        <p className="[overflow-wrap:anywhere]" role="status">
          {usable.to === 'person'
            ? t('firstRun.inviteFrom', {
                address: shortAddress(usable.address),
                server: hostOf(usable.server),
              })
            : t('firstRun.inviteGroup', { server: hostOf(usable.server) })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {usable && (
          <Button onClick={() => use(usable)} size="small" tone="primary">
            {t('firstRun.inviteUse', { server: hostOf(usable.server) })}
          </Button>
        )}
        {misplaced?.kind === 'code' && onCode && (
          <Button onClick={() => onCode(misplaced.code)} size="small" tone="primary">
            {t('firstRun.inviteUseCode')}
          </Button>
        )}
        <Button onClick={onClose} size="small">
          {t('common.cancel')}
        </Button>
      </div>
      {children}
    </div>
  );
}

type Misplaced = { kind: 'code'; code: string } | { kind: 'contact' };

/** A pasted text that belongs in another field: an invitation code of a server, or the address of a person. Null for others. */
function misplacedText(text: string): Misplaced | null {
  if (looksLikeInvite(text)) return null;
  const [code] = /(?<![\w-])inv_[\w-]{43}(?![\w-])/.exec(text) ?? [];
  if (code !== undefined) return { kind: 'code', code };
  return addressInCode(text) === null ? null : { kind: 'contact' };
}

/** Reports whether a typed server address is the origin of an invite. */
export function isSameOrigin(typed: string, origin: string): boolean {
  const text = typed.trim();
  const url = [text, `https://${text}`].find((each) => URL.canParse(each));
  return url !== undefined && new URL(url).origin === origin;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
