/**
 * Posts a line into a group from a CI job, with a group token. The members see it as a bot's message in the name of
 * the group's creator.
 *
 *   WAXWING_RELAY=https://relay.example WAXWING_GROUP_TOKEN=gtk_live_… node post.mjs 'Build 214 is green.'
 */
import { RelayClient } from 'waxwing';

const { WAXWING_RELAY: relay, WAXWING_GROUP_TOKEN: secret } = process.env;
const text = process.argv.slice(2).join(' ');
if (!relay || !secret || !text) {
  console.error('Set WAXWING_RELAY and WAXWING_GROUP_TOKEN, and give the text as an argument.');
  process.exit(2);
}

const client = new RelayClient({ relay, secret });
const { credential } = await client.me();
if (!credential.groupId) {
  console.error('WAXWING_GROUP_TOKEN holds an API key. Ask the creator of the group for a group token.');
  process.exit(2);
}
const { envelopeIds, unreached } = await client.sendToGroup(credential.groupId, text);
console.log(`Posted, sealed for ${envelopeIds.length} devices.`);
for (const { address, reason } of unreached) console.error(`Not for ${address}: ${reason}`);
