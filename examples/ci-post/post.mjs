/**
 * Posts a line into a group from a CI job, as a bot. The owner of the group makes the bot; members see its signed posts
 * under its name. Without WAXWING_BOT_KEY posts are unsigned, and the group must allow that.
 *
 *   WAXWING_RELAY=https://relay.example WAXWING_GROUP_TOKEN=gtk_live_… WAXWING_BOT_KEY=wxb_… \
 *     node post.mjs 'Build 214 is green.'
 */
import { Failure, RelayClient } from 'waxwing';

// An expected failure, such as a wrong key or an unreachable relay, prints one line.
process.once('uncaughtException', (error) => {
  console.error(error instanceof Failure ? error.message : error);
  process.exit(1);
});

const { WAXWING_RELAY: relay, WAXWING_GROUP_TOKEN: secret, WAXWING_BOT_KEY: botKey } = process.env;
const text = process.argv.slice(2).join(' ');
if (!relay || !secret || !text) {
  console.error('Set WAXWING_RELAY and WAXWING_GROUP_TOKEN, and give the text as an argument.');
  process.exit(2);
}
if (!secret.startsWith('gtk_live_')) {
  console.error('WAXWING_GROUP_TOKEN is not a group token (gtk_live_…). Ask the owner of the group for one.');
  process.exit(2);
}

const client = new RelayClient({ relay, secret, ...(botKey && { botKey }) });
const { groupId } = (await client.me()).credential;
if (!groupId) throw new Error('The relay does not name the group of this token.');
const { envelopeIds, undelivered } = await client.sendToGroup(groupId, text);
const devices = envelopeIds.length === 1 ? 'device' : 'devices';
console.log(`Posted, sealed for ${envelopeIds.length} ${devices}.`);
for (const { address, reason } of undelivered) console.error(`Not for ${address}: ${reason}`);
