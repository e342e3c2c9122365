/**
 * What the relay is, and the way from an API key to a sealed message: by curl, by the command line, by the library.
 */
import { API_PREFIX } from '../../../protocol/endpoints.ts';
import type { ExampleWorld } from '../examples/example.ts';
import { PROGRAM, PROGRAM_NAME } from '../program.ts';
import { codeBlock } from './code.ts';
import { credentialRows } from './endpoint.ts';
import { type Html, html } from './html.ts';

export function introduction({ relay, relayName }: ExampleWorld): Html {
  return html`<section id="introduction" class="opening">
<h1>${relayName}</h1>
<p class="lead">A Waxwing relay: sealed envelopes travel through it. Senders seal messages on their own machines; the relay finds the recipient’s
devices, keeps what waits for them, and hands it over. It cannot read any of it.</p>
<dl class="facts">
<div><dt>API</dt><dd><code>${relay.origin}${API_PREFIX}</code></dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="/openapi.json">/openapi.json</a></dd></div>
<div><dt>In the app</dt><dd>enter <code>${relay.origin}</code> as the relay</dd></div>
</dl>
<p>What the relay does see: who writes to whom, when, and roughly how much. What you send it in the clear is refused.</p>
</section>`;
}

export function authentication(): Html {
  return html`<section id="authentication">
<h2>Authentication</h2>
<p>Every call that is not for anyone carries <code>Authorization: Bearer …</code> with one of these. What a credential may do is its
list of entitlements; <a href="#getMe"><code>GET /me</code></a> tells it.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Credentials"><table class="grid"><thead><tr><th scope="col">Credential</th><th scope="col">Begins with</th><th scope="col">Can hold</th></tr></thead><tbody>${credentialRows()}</tbody></table></div>
<ul>
<li><strong>API key</strong>: make one in the app under Settings → API Settings, after unlocking Developer API access. It acts
for your address, with the entitlements that you choose. The secret is shown once.</li>
<li><strong>Group token</strong>: the creator of a group mints it in the group panel, under Bot tokens. It reads that one
group and posts into it; what it posts arrives from the creator’s address, marked as a bot’s. The secret is shown once.</li>
<li><strong>Session</strong>: what the app has after a login with the wallet. Programs need none.</li>
</ul>
<p>A wrong, a revoked and an expired credential get the same answer, <a href="#error-unauthorized">401</a>. Revoking counts from the next
request on, also for calls that are being held.</p>
</section>`;
}

export function quickStart({ relay, bob, sealed }: ExampleWorld): Html {
  const { origin } = relay;
  const envelope = JSON.stringify(
    { toAddress: bob.address, recipientDeviceKey: bob.sealKeyStatement.key, ...sealed.wire },
    null,
    2,
  );
  return html`<section id="quick-start">
<h2>Quick start</h2>
<p>From an API key to a sealed message, three ways. Make the key in the app first: Settings → API Settings.</p>

<h3 id="with-curl">With curl</h3>
<ol class="steps">
<li><p>Put the relay and the key where the shell finds them, and see whether the key works.</p>
${codeBlock(
  'shell',
  'Who am I',
  `export WAXWING_RELAY="${origin}"
export WAXWING_API_KEY="sk_live_…"

curl "$WAXWING_RELAY/api/v1/me" -H "Authorization: Bearer $WAXWING_API_KEY"`,
)}</li>
<li><p>Resolve the recipient’s handle to an address.</p>
${codeBlock('shell', 'Resolve a handle', `curl "$WAXWING_RELAY/api/v1/handles/bob" -H "Authorization: Bearer $WAXWING_API_KEY"`)}</li>
<li><p>Fetch the keys of the address: one for each device.</p>
${codeBlock('shell', 'Fetch keys', `curl "$WAXWING_RELAY/api/v1/keys/${bob.address}" -H "Authorization: Bearer $WAXWING_API_KEY"`)}</li>
<li><p>Seal the message on your machine, once for each key. That is what curl cannot do:
<a href="#the-program"><code>${PROGRAM_NAME}</code></a> is ${PROGRAM.trim().split('\n').length} lines without packages, and does all of these steps: <code>node ${PROGRAM_NAME} @bob "Hello"</code>.
<a href="#sealing">Sealing</a> explains them.</p></li>
<li><p>Send what came out.</p>
${codeBlock(
  'shell',
  'Send',
  `curl "$WAXWING_RELAY/api/v1/envelopes" \\
  -H "Authorization: Bearer $WAXWING_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${envelope}'`,
)}</li>
</ol>

<h3 id="into-a-group">Into a group</h3>
<p>With a group token the steps are the same, but one call gives the members with all their keys, and one takes all copies. The
group’s id stands under its name in the group panel.</p>
${codeBlock(
  'shell',
  'Seal for everybody and post',
  `export WAXWING_RELAY="${origin}"
export WAXWING_GROUP_TOKEN="gtk_live_…"

# the members and their keys
curl "$WAXWING_RELAY/api/v1/groups/GROUP_ID" -H "Authorization: Bearer $WAXWING_GROUP_TOKEN"

# reads them, seals one copy for each key, posts all copies
node ${PROGRAM_NAME} --group GROUP_ID "Version 2.4 is out"`,
)}

<h3 id="with-the-command-line">With the command line</h3>
<p><code>waxwing</code> comes with the app. It resolves, verifies the keys against the recipient’s wallet, seals and sends. Secrets
stand in the environment, never among the arguments.</p>
${codeBlock(
  'shell',
  'As yourself',
  `export WAXWING_RELAY="${origin}"
export WAXWING_API_KEY="sk_live_…"

waxwing me
waxwing resolve @bob
waxwing send @bob "Hello from a script"`,
)}
${codeBlock(
  'shell',
  'As a bot in a group',
  `export WAXWING_RELAY="${origin}"
export WAXWING_GROUP_TOKEN="gtk_live_…"

waxwing send --group GROUP_ID "Version 2.4 is out"
git log -1 --format=%s | waxwing send --group GROUP_ID`,
)}

<h3 id="with-the-library">With the library</h3>
<p>What <code>waxwing</code> itself uses, for programs in Node. It proves the keys against the recipient’s wallet before it seals.</p>
${codeBlock('javascript', 'bot.mjs', LIBRARY)}
<p>With an identity it signs what it sends, and <code>for await (const message of client.messages())</code> receives: opened, proven,
acknowledged.</p>
</section>`;
}

const LIBRARY = `import { RelayClient } from 'waxwing';

const client = new RelayClient({
  relay: process.env.WAXWING_RELAY,
  secret: process.env.WAXWING_API_KEY, // or a group token
});

await client.send('@bob', 'Hello from a program');
await client.sendToGroup(process.env.GROUP_ID, 'Version 2.4 is out');
client.close();`;
