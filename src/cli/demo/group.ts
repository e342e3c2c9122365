/**
 * A group, and a bot that posts into it with a token of its own.
 */
import { RelayClient } from '../../client/index.ts';
import { type Person, receive, refusalOf, short } from './person.ts';
import type { Transcript } from './transcript.ts';

const GREETING = 'Welcome, all of you.';
const REPORT = 'Build 214 is green.';

export async function showGroup(tell: Transcript, creator: Person, members: Person[]): Promise<void> {
  await tell.heading('A group');
  const session = creator.identity.account();
  const group = await creator.client.createGroup('Builds', { open: true });
  await tell.say('POST /api/v1/groups', `${creator.name} has created ${group.name}, ${group.id}`);
  const params = { id: group.id };
  for (const { client, name } of members) {
    const joined = await client.joinGroup(group.id);
    await tell.say('POST …/roster', `${name} has signed to join; ${joined.memberCount} members`);
  }
  const { envelopeIds } = await creator.client.sendToGroup(group.id, GREETING);
  await tell.say(
    'POST …/envelopes',
    `SEALEDGRP, one copy for each of ${envelopeIds.length} devices, in one piece`,
  );
  for (const member of members) {
    await receive(member, GREETING, 'signed');
    await tell.say(`${member.name} opens`, `“${GREETING}”  signed by ${creator.name}’s device`);
  }

  await tell.heading('A bot');
  // Only where the creator's own list says so do members accept what a bot posts in the creator's name.
  await creator.identity.registration(session).ensure(['bots']);
  const token = await session.call('createToken', { params, body: { name: 'ci' } });
  await tell.say('POST …/tokens', `${token.prefix}…, shown once, for this group alone`);
  const bot = new RelayClient({ relay: session.baseUrl, secret: token.secret });
  const me = await bot.me();
  await tell.say('GET /api/v1/me', `a ${me.credential.type} of ${short(me.address)}: ${creator.name}`);
  const mine = await refusalOf(bot.groups({ mine: true }));
  await tell.say('GET /api/v1/groups?mine=1', mine);
  await bot.sendToGroup(me.credential.groupId ?? '', REPORT);
  await tell.say('POST …/envelopes', 'the bot posts, and is no member itself');
  for (const member of members) {
    const { from } = await receive(member, REPORT, 'bots');
    if (from !== creator.identity.address) throw new Error('the post did not come from the creator');
    await tell.say(`${member.name} opens`, `“${REPORT}”  from ${creator.name}, via bot`);
  }
  await session.call('deleteToken', { params: { ...params, tokenId: token.id } });
  await tell.say('DELETE …/tokens/…', `the next call of the bot: ${await refusalOf(bot.me())}`);
}
