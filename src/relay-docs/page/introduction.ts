/**
 * An introduction to the relay, and the way from an API key to a sealed message: by curl, by the command line, by
 * the library.
 */
import { API_PREFIX } from '../../protocol/endpoints.ts';
import { PLACEHOLDERS } from '../../relay/docs/placeholders.ts';
import { PROGRAM, PROGRAM_NAME } from '../program.ts';
import { codeBlock } from './code.ts';
import { credentialRows } from './endpoint.ts';
import { type Html, html } from './html.ts';

export function introduction(): Html {
  return html`<section id="introduction" class="opening">
<h1>${PLACEHOLDERS.name}</h1>
<p class="lead">A Waxwing relay: it delivers sealed envelopes. Senders seal messages on their own computers; the relay finds the recipient’s
devices, stores the envelopes, and delivers them. It cannot read the messages.</p>
<dl class="facts">
<div><dt>API</dt><dd><code>${PLACEHOLDERS.url}${API_PREFIX}</code></dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="/openapi.json">/openapi.json</a></dd></div>
<div><dt>Protocol</dt><dd><a href="/protocol.md">/protocol.md</a>, with <a href="#protocol">test vectors</a></dd></div>
<div><dt>In the app</dt><dd>enter <code>${PLACEHOLDERS.url}</code> as the server</dd></div>
</dl>
<p>The relay knows the sender, recipient, time and approximate size of each message. It refuses messages that are not sealed.</p>
</section>`;
}

export function authentication(): Html {
  return html`<section id="authentication">
<h2>Authentication</h2>
<p>Most calls need <code>Authorization: Bearer …</code> with one of these credentials. The entitlements of a credential are its rights;
<a href="#getMe"><code>GET /me</code></a> returns them.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Credentials"><table class="grid"><thead><tr><th scope="col">Credential</th><th scope="col">Begins with</th><th scope="col">Possible entitlements</th></tr></thead><tbody>${credentialRows()}</tbody></table></div>
<ul>
<li><strong>API key</strong>: create one in the app under Settings → API Settings, after unlocking Developer API access. It acts
for your address, with the entitlements that you choose. The secret is shown once.</li>
<li><strong>Group token</strong>: the creator of a group creates it in the group panel, under Bot tokens. It reads only that
group and posts to it. Its posts have the creator’s address and are marked as those of a bot. The secret is shown once. The app also
creates a <strong>bot key</strong>, <code>wxb_…</code>, which signs the posts. Never send it to a relay.</li>
<li><strong>Session</strong>: the credential of the app after a <a href="#createSession">login</a> with the wallet or a device. Programs that only
send do not need one.</li>
</ul>
<p>The examples on this page read the relay from <code>WAXWING_RELAY</code>, and the credential from <code>WAXWING_API_KEY</code>,
<code>WAXWING_GROUP_TOKEN</code> or <code>WAXWING_SESSION</code>, depending on the call. <code>waxwing</code> accepts one credential: if both the key
and the token are set, it reports an error.</p>
<p>The response to a wrong, revoked or expired credential is the same, <a href="#error-unauthorized">401</a>. A revoked credential is
refused from the next request on, and its waiting calls end.</p>
</section>`;
}

export function quickStart(): Html {
  return html`<section id="quick-start">
<h2>Quick start</h2>
<p>Three ways from a credential to a sealed message. Complete the lines that begin with <code>export</code>; paste all others unchanged, from
top to bottom.</p>

<h3 id="with-curl">With curl and a program</h3>
<ol class="steps">
<li><p>Create an API key in the app: Settings → API Settings. Set the key and the relay in the shell, and check that the key works.</p>
${codeBlock(
  'shell',
  'Check the key',
  `export WAXWING_RELAY="${PLACEHOLDERS.url}"
export WAXWING_API_KEY="sk_live_…"
export RECIPIENT="bob"
unset WAXWING_GROUP_TOKEN

curl "$WAXWING_RELAY/api/v1/me" -H "Authorization: Bearer $WAXWING_API_KEY"`,
)}</li>
<li><p>Resolve the recipient’s handle to an address.</p>
${codeBlock(
  'shell',
  'Resolve a handle',
  `curl "$WAXWING_RELAY/api/v1/handles/$RECIPIENT" -H "Authorization: Bearer $WAXWING_API_KEY"

ADDRESS=$(curl -s "$WAXWING_RELAY/api/v1/handles/$RECIPIENT" -H "Authorization: Bearer $WAXWING_API_KEY" \\
  | node -p 'JSON.parse(fs.readFileSync(0)).address')`,
)}</li>
<li><p>Fetch the keys of the address: one for each device.</p>
${codeBlock('shell', 'Fetch keys', `curl "$WAXWING_RELAY/api/v1/keys/$ADDRESS" -H "Authorization: Bearer $WAXWING_API_KEY"`)}</li>
<li><p>Seal the message on your computer, once for each key, and post the copies. curl cannot do this. <a href="#sealing">Sealing</a> explains
the steps, and <a href="#the-program"><code>${PROGRAM_NAME}</code></a> performs them, with all steps above.</p></li>
</ol>

<h3 id="the-program">The program</h3>
<p>${PROGRAM.trim().split('\n').length} lines without dependencies, for Node 20 or later. Save them as <code>${PROGRAM_NAME}</code> and run the program.</p>
${codeBlock('javascript', PROGRAM_NAME, PROGRAM)}
${codeBlock('shell', 'Seal and send', `node ${PROGRAM_NAME} "@$RECIPIENT" "Hello"`)}

<h3 id="into-a-group">To a group</h3>
<p>With a group token the steps are the same, but one call returns the members with all their keys, and one call sends all copies. The
token has a bot key, which signs the post: the app shows it with the name of the bot. A post with the token alone
(<code>--unsigned</code>) is shown only if the group allows it (<code>waxwing groups token create --alone</code>). The id of the group is
below its name in the group panel.</p>
${codeBlock(
  'shell',
  'Seal for all members and post',
  `export WAXWING_RELAY="${PLACEHOLDERS.url}"
export WAXWING_GROUP_TOKEN="gtk_live_…"
export WAXWING_BOT_KEY="wxb_…"
export GROUP_ID="…"
unset WAXWING_API_KEY

# the members and their keys
curl "$WAXWING_RELAY/api/v1/groups/$GROUP_ID" -H "Authorization: Bearer $WAXWING_GROUP_TOKEN"

# reads them, signs as the bot, seals one copy for each key, posts all copies
node ${PROGRAM_NAME} --group "$GROUP_ID" "Version 2.4 is out"`,
)}

<h3 id="with-the-command-line">With the command line</h3>
<p><code>waxwing</code> is in the npm package <code>waxwing</code>. It resolves handles, verifies the keys with the signature of the recipient’s wallet, seals and
sends. Put secrets in the environment, never in arguments.</p>
${codeBlock(
  'shell',
  'As yourself',
  `export WAXWING_RELAY="${PLACEHOLDERS.url}"
export WAXWING_API_KEY="sk_live_…"
export RECIPIENT="bob"
unset WAXWING_GROUP_TOKEN WAXWING_BOT_KEY

waxwing me
waxwing resolve "@$RECIPIENT"
waxwing send "@$RECIPIENT" "Hello from a script"`,
)}
${codeBlock(
  'shell',
  'As a bot in a group',
  `export WAXWING_RELAY="${PLACEHOLDERS.url}"
export WAXWING_GROUP_TOKEN="gtk_live_…"
export WAXWING_BOT_KEY="wxb_…"
unset WAXWING_API_KEY

waxwing send "Version 2.4 is out"
date | waxwing send`,
)}

<h3 id="with-the-library">With the library</h3>
<p>The same npm package, for programs in Node. It verifies the keys with the signature of the recipient’s wallet before it seals.</p>
${codeBlock('javascript', 'bot.mjs', LIBRARY)}
<p>With an identity it signs its messages, and <code>for await (const message of client.messages())</code> receives messages: opened, verified
and acknowledged.</p>
</section>`;
}

const LIBRARY = `import { RelayClient } from 'waxwing';

const { WAXWING_RELAY, WAXWING_API_KEY, RECIPIENT, GROUP_ID } = process.env;
const client = new RelayClient({ relay: WAXWING_RELAY, secret: WAXWING_API_KEY });

await client.send('@' + RECIPIENT, 'Hello from a program');
await client.sendToGroup(GROUP_ID, 'Version 2.4 is out'); // a group that you are a member of
client.close();`;
