/** A group, and a bot that posts into it with its own token. */
import { RelayClient } from '../../client/index.ts';
import { type Person, receive, refusalOf, short } from './person.ts';
import type { Transcript } from './transcript.ts';

const GREETING = 'Welcome, all of you.';
const REPORT = 'Build 214 is green.';

export async function showGroup(transcript: Transcript, creator: Person, members: Person[]): Promise<void> {
  await transcript.heading('A group');
  const session = creator.identity.account();
  const group = await creator.client.createGroup('Builds', { open: true });
  await transcript.line('POST /api/v1/groups', `${creator.name} has created ${group.name}, ${group.id}`);
  for (const { client, name } of members) {
    const joined = await client.joinGroup(group.id);
    await transcript.line('POST …/roster', `${name} has signed to join; ${joined.memberCount} members`);
  }
  const { envelopeIds } = await creator.client.sendToGroup(group.id, GREETING);
  await transcript.line(
    'POST …/envelopes',
    `SEALEDGRP, one copy for each of ${envelopeIds.length} devices, in one piece`,
  );
  for (const member of members) {
    await receive(member, GREETING, 'signed');
    await transcript.line(`${member.name} opens`, `“${GREETING}”  signed by ${creator.name}’s device`);
  }

  await transcript.heading('A bot');
  const created = await creator.client.createBot(group.id, 'ci');
  await transcript.line('POST …/tokens', `${created.secret.slice(0, 12)}…, shown once, for this group alone`);
  await transcript.line(
    'POST …/roster',
    `${creator.name} has signed the bot’s key; the secret half stays with the bot`,
  );
  if (created.botKey === null) throw new Error('the bot has no key');
  const bot = new RelayClient({ relay: session.baseUrl, secret: created.secret, botKey: created.botKey });
  const me = await bot.me();
  await transcript.line('GET /api/v1/me', `a ${me.credential.type} of ${short(me.address)}: ${creator.name}`);
  const mine = await refusalOf(bot.groups({ mine: true }));
  await transcript.line('GET /api/v1/groups?mine=1', mine);
  await bot.sendToGroup(me.credential.groupId ?? '', REPORT);
  await transcript.line('POST …/envelopes', 'the bot posts, and is no member itself');
  for (const member of members) {
    const { from, bot: signer } = await receive(member, REPORT, 'bot');
    if (from !== creator.identity.address || !signer) throw new Error('the bot did not sign its post');
    await transcript.line(
      `${member.name} opens`,
      `“${REPORT}”  signed by ${signer.name}, a bot of ${creator.name}`,
    );
  }
  await creator.client.revokeBot(group.id, created.id);
  await transcript.line('DELETE …/tokens/…', `the next call of the bot: ${await refusalOf(bot.me())}`);
}
