import type { ReactNode } from 'react';
import type { Delivery, Disappearing, MessageInfo as Info, Trust } from '../../bridge/shapes/message.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { FactList } from '../design/fact-list.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { NameLine } from '../people/name-line.tsx';
import { shownName } from '../people/shown-name.ts';
import { duration, fullTime } from '../shared/time.ts';
import { rich, t } from '../words.tsx';
import { articleOf } from './actions/action-state.tsx';

interface MessageInfoProps {
  /** The message. */
  id: string;
  onClose: () => void;
}

/** Details of one message: times, transport, and recipients. */
export function MessageInfo({ id, onClose }: MessageInfoProps) {
  return (
    <Dialog finalFocus={() => articleOf(id)} onClose={onClose} open title={t('chat.info')}>
      <Facts id={id} />
    </Dialog>
  );
}

function Facts({ id }: { id: string }) {
  const { data: info, error, refetch } = useBridgeQuery('messages.info', { id });
  if (error) {
    return (
      <div className="flex flex-col items-start gap-3 p-5">
        <p className="text-ink-soft">{error.message}</p>
        <Button onClick={() => void refetch()} size="small">
          {t('common.tryAgain')}
        </Button>
      </div>
    );
  }
  if (!info) {
    return (
      <div className="flex flex-col gap-3 p-5">
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </div>
    );
  }
  const { device, listSequence, postQuantum } = info;
  return (
    <div className="flex flex-col gap-5 p-5">
      <FactList>
        <Fact name={t('chat.infoWritten')}>
          <bdi>{fullTime(info.writtenAt)}</bdi>
        </Fact>
        {info.sentAt !== info.writtenAt && (
          <Fact name={t('chat.infoSent')}>
            <bdi>{fullTime(info.sentAt)}</bdi>
          </Fact>
        )}
        {info.receivedAt !== null && (
          <Fact name={t('chat.infoReceived')}>
            <bdi>{fullTime(info.receivedAt)}</bdi>
          </Fact>
        )}
        <Fact name={t('chat.infoSender')}>{senderText(info)}</Fact>
        {info.isVerified && <Fact name={t('chat.infoAddress')}>{t('chat.verified')}</Fact>}
        {device && (
          <Fact name={t('chat.infoDevice')}>
            {device.isThis ? (
              t('chat.infoThis')
            ) : (
              <bdi className="font-mono [overflow-wrap:anywhere]">{device.id.slice(0, 8)}</bdi>
            )}
          </Fact>
        )}
        {listSequence !== null && (
          <Fact name={t('people.list')}>{t('people.listNumber', { number: listSequence })}</Fact>
        )}
        {postQuantum !== null && (
          <Fact name={t('chat.infoEncryption')}>
            {postQuantum ? t('chat.infoPostQuantum') : t('people.notPostQuantum')}
          </Fact>
        )}
        {info.disappears && (
          <Fact name={t('chat.infoDisappears')}>{endText(info.disappears, info.trust)}</Fact>
        )}
        {info.edits > 0 && (
          <Fact name={t('chat.infoEdited')}>{t('chat.infoEdits', { count: info.edits })}</Fact>
        )}
      </FactList>
      <Recipients info={info} />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function endText({ after, at }: Disappearing, trust: Trust): ReactNode {
  if (at !== null) return <bdi>{fullTime(at)}</bdi>;
  return t(trust === 'self' ? 'chat.infoAfterSent' : 'chat.infoAfterRead', { time: duration(after) });
}

function senderText({ author, bot, device, trust }: Info): ReactNode {
  const name = shownName(author);
  if (trust === 'bot') return rich('chat.infoBot', { name: bot ?? '' });
  if (trust === 'token') return t('chat.tokenText', { author: name });
  if (trust === 'imported') return t('chat.importedText', { author: name });
  if (trust === 'api') return t('chat.apiText', { author: name });
  if (trust === 'self') return device?.isThis ? t('chat.infoYou') : t('chat.infoYourDevice');
  return t('chat.signedText', { author: name });
}

const headings = {
  read: 'chat.infoRead',
  delivered: 'chat.infoDelivered',
  none: 'chat.infoNothing',
} as const satisfies Record<Delivery, string>;

/** People who have read it first, then those who have it, then those without receipts. */
function Recipients({ info: { recipients } }: { info: Info }) {
  if (!recipients || recipients.length === 0) return null;
  return (
    <>
      {(['read', 'delivered', 'none'] as const).map((delivery) => {
        const people = recipients.filter((each) => each.delivery === delivery);
        if (people.length === 0) return null;
        return (
          <section className="flex flex-col gap-2" key={delivery}>
            <h3 className="font-semibold text-interface">{t(headings[delivery])}</h3>
            <ul className="flex flex-col gap-2">
              {people.map(({ person }) => (
                <li className="flex min-w-0 items-center gap-2.5" key={person.address}>
                  <Avatar person={person} size="small" />
                  <NameLine person={person} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
