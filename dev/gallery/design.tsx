/**
 * The parts of src/renderer/design, each in every form it has.
 */
import { Bell, Info, Settings } from 'lucide-react';
import { Failure } from '../../src/base/failure.ts';
import { BridgeFailure } from '../../src/renderer/bridge-failure.ts';
import { Avatar, type AvatarSize, avatarSizes } from '../../src/renderer/design/avatar.tsx';
import { Button, type ButtonTone } from '../../src/renderer/design/button.tsx';
import { ConversationFace, GroupAvatar } from '../../src/renderer/design/conversation-face.tsx';
import { CopyButton } from '../../src/renderer/design/copy-button.tsx';
import { CopyDiagnostics } from '../../src/renderer/design/copy-diagnostics.tsx';
import { EmptyState } from '../../src/renderer/design/empty-state.tsx';
import { IconButton } from '../../src/renderer/design/icon-button.tsx';
import { Mark } from '../../src/renderer/design/mark.tsx';
import { Menu, MenuItem } from '../../src/renderer/design/menu.tsx';
import { Popover } from '../../src/renderer/design/popover.tsx';
import { QrCode } from '../../src/renderer/design/qr-code.tsx';
import { Skeleton } from '../../src/renderer/design/skeleton.tsx';
import { TextField } from '../../src/renderer/design/text-field.tsx';
import { showFailure } from '../../src/renderer/design/toasts.tsx';
import { Tooltip } from '../../src/renderer/design/tooltip.tsx';
import { EmojiPicker } from '../../src/renderer/emoji/emoji-picker.tsx';
import { ann, chen, stranger } from '../fake/people.ts';
import { scenes } from '../scenes/index.ts';
import type { Specimen } from './specimen.ts';

const sizes = Object.keys(avatarSizes) as AvatarSize[];
const tones: ButtonTone[] = ['primary', 'plain', 'quiet', 'danger'];

export const designSpecimens: readonly Specimen[] = [
  {
    name: 'emoji picker',
    show: () => <EmojiPicker onPick={() => undefined} />,
  },
  {
    name: 'avatar',
    show: () =>
      sizes.flatMap((size) =>
        [ann, chen, stranger].map((person) => (
          <Avatar key={size + person.address} person={person} size={size} />
        )),
      ),
  },
  {
    name: 'group avatar',
    show: () =>
      sizes.map((size) => (
        <GroupAvatar group={{ groupId: 'birds', name: 'Bird watchers' }} key={size} size={size} />
      )),
  },
  {
    name: 'conversation face',
    show: () =>
      scenes
        .many()
        .conversations.slice(0, 9)
        .map((each) => <ConversationFace conversation={each} key={each.id} />),
  },
  ...(['medium', 'small'] as const).map((size) => ({
    name: `button, ${size}`,
    show: () =>
      tones.flatMap((tone) => [
        <Button key={tone} size={size} tone={tone}>
          {tone}
        </Button>,
        <Button disabled key={`${tone} disabled`} size={size} tone={tone}>
          {tone}, disabled
        </Button>,
        <Button busy key={`${tone} busy`} size={size} tone={tone}>
          {tone}, busy
        </Button>,
      ]),
  })),
  {
    name: 'icon button',
    show: () => [
      <IconButton icon={Bell} key="plain" label="Ring" />,
      <IconButton icon={Settings} key="keys" keys="Ctrl ," label="Settings of the gallery" />,
      <IconButton disabled icon={Info} key="disabled" label="Nothing to know" />,
    ],
  },
  { name: 'copy button', show: () => <CopyButton label="Copy a word" text="word" /> },
  {
    name: 'text field',
    show: () => (
      <div style={{ width: '100%' }}>
        <TextField label="With a hint" note="What it is for." onChange={() => undefined} value="" />
        <TextField
          label="That is right"
          note="It is free."
          noteTone="good"
          onChange={() => undefined}
          prefix="@"
          value="robin"
        />
        <TextField label="That is too long" most={8} onChange={() => undefined} value="Птицы нашего" />
        <TextField
          label="That is wrong"
          note="It is taken."
          noteTone="problem"
          onChange={() => undefined}
          prefix="@"
          value="ann"
        />
        <TextField disabled label="Disabled" onChange={() => undefined} value="W" />
      </div>
    ),
  },
  {
    name: 'empty state',
    show: () => (
      <EmptyState
        action={<Button>Do something</Button>}
        picture={<Mark size={56} />}
        text="A sentence that says what could be here."
        title="Nothing is here"
      />
    ),
  },
  {
    name: 'menu',
    show: () => (
      <Menu label="Options for a bell">
        <MenuItem icon={Bell} label="Ring" onClick={() => undefined} />
        <MenuItem icon={Info} isDangerous label="Take it away" onClick={() => undefined} />
      </Menu>
    ),
  },
  { name: 'mark', show: () => [16, 32, 72].map((size) => <Mark key={size} size={size} />) },
  { name: 'skeleton', show: () => <Skeleton className="h-10 w-64" /> },
  { name: 'QR code', show: () => <QrCode label="A code" text="waxwing:contact/0x0" /> },
  {
    name: 'tooltip',
    show: () => (
      <Tooltip text="What it does">
        <Button>Has a tooltip</Button>
      </Tooltip>
    ),
  },
  {
    name: 'popover',
    show: () => (
      <Popover text="A sentence about it." title="What it is">
        <button type="button">Opens a popover</button>
      </Popover>
    ),
  },
  {
    name: 'toast',
    show: () => [
      <Button key="foreseen" onClick={() => showFailure(new Error('No server answers at this address.'))}>
        Report a failure
      </Button>,
      <Button
        key="unexpected"
        onClick={() => showFailure(new BridgeFailure(new Failure('unexpected', { id: 'E-7F3K' }).data))}
      >
        Report an unexpected error
      </Button>,
    ],
  },
  { name: 'copy diagnostics', show: () => <CopyDiagnostics /> },
];
