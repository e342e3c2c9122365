/** Sealing, step by step, with a message sealed by fixed keys and every intermediate value. */
import type { ExampleWorld } from '../examples/example.ts';
import type { ValueName } from '../examples/sealing.ts';
import { codeBlock, jsonBlock } from './code.ts';
import { type Content, type Html, html } from './html.ts';

export function sealing(world: ExampleWorld): Html {
  const { bob, sealed } = world;
  const show = (...names: [string, ValueName][]) => valueTable(sealed.values, names);
  return html`<section id="sealing">
<h2>Sealing</h2>
<p>An envelope is HPKE (RFC 9180) in Base mode, with the suite DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. HPKE agrees on a key
and exports it; AES-256-GCM uses it with the nonce of the envelope. Any RFC 9180 library with the export function is suitable.</p>
<p>This is suite 1, which every device supports. For devices whose seal key has <code>pq</code>, apps use suite 2, which also protects against
quantum computers: HPKE’s MLKEM768-X25519. See <a href="/protocol.md"><code>/protocol.md</code></a> and
<a href="/vectors/suite2.json"><code>/vectors/suite2.json</code></a>.</p>
${codeBlock(
  'text',
  'Summary',
  `enc, context = HPKE.SetupBaseS(recipient's device key, info)
info         = "waxwing/seal/v1" || from (20 bytes) || to (20 bytes)
key          = context.Export("waxwing/seal/v1/key", 32)
nonce        = 12 random bytes
ciphertext   = header || AES-256-GCM(key, nonce, additional data = header, padded payload)`,
)}
<p>Below, <code>${sealed.from}</code> writes “hello” to <code>${sealed.to}</code>. All keys are fixed, so you can compare your own code
with each value. In a real program, create a new ephemeral key and a new nonce for every copy.</p>

<h3 id="seal-payload">1. Write the payload</h3>
<p>A payload for a person begins with <code>SEALEDMSG</code>, one for a group with <code>SEALEDGRP</code>. The version <code>02</code> and the type of the
signature follow. Programs without a certified device send <code>00</code>: no signature. The rest is JSON.</p>
${jsonBlock('The JSON, here on several lines', JSON.parse(sealed.body))}
<p><code>id</code> is 16 random bytes; <code>seq</code> is 0 in unsigned messages. A group message has
<code>groupId</code> and <code>roster</code> (the newest entry of the group’s chain, as <code>GET /groups/:id</code> returns it) in place of <code>peer</code>.</p>
${show(['SEALEDMSG 02 00 JSON', 'payload'])}
<p class="note">Recipients drop unsigned messages unless the sender allows them. Unlocking Developer API access in the app allows
those with an API key. Unsigned posts with a group token are shown if the group’s chain has <code>unsignedBots</code>. A bot with its own key
signs: it replaces <code>00</code> with <code>02</code>, the first 16 bytes of SHA-256 of its public key, and the signature.</p>

<h3 id="seal-padding">2. Pad the payload</h3>
<p>Append <code>80</code>, then zeros up to 256, 512, 1,024, 2,048 or 4,096 bytes; longer ones up to the next step of Padmé, at most 65,536. So the
length reveals little.</p>
${show(['padded payload', 'paddedPayload'])}

<h3 id="seal-agreement">3. Agree on a secret</h3>
<p>Use one of the recipient’s <code>deviceKeys</code> and a new X25519 key pair. Reject a result of only zeros.</p>
${show(
  ['recipient’s private key', 'recipientPrivateKey'],
  ['recipient’s device key (pkR)', 'recipientPublicKey'],
  ['ephemeral private key (skE)', 'ephemeralPrivateKey'],
  ['ephemeralPublicKey (enc)', 'ephemeralPublicKey'],
  ['dh = X25519(skE, pkR)', 'dh'],
  ['shared_secret (RFC 9180, 4.1)', 'sharedSecret'],
)}

<h3 id="seal-key">4. Export the key</h3>
<p><code>from</code> is the sender’s address at the relay: that of <code>GET /me</code>, or for a group token that of the creator. <code>to</code> is
<code>toAddress</code>.</p>
${show(
  ['info', 'info'],
  ['key_schedule_context (5.1)', 'keyScheduleContext'],
  ['secret (5.1)', 'secret'],
  ['exporter_secret (5.1)', 'exporterSecret'],
  ['key = Export("waxwing/seal/v1/key", 32)', 'key'],
)}

<h3 id="seal-encrypt">5. Encrypt</h3>
<p>The header is 12 bytes: version 1, suite 1, flags (bit 0 <code>asRequest</code>, bit 1 sent by a program), 0, and two u32 with the sequences of the
sender’s and the recipient’s device lists, 0 if unknown. It is the additional data. The ciphertext is the header, then the output of AES-GCM,
with the tag of 16 bytes at the end.</p>
${show(['header', 'header'], ['nonce', 'nonce'], ['ciphertext', 'ciphertext'])}

<h3 id="seal-envelope">6. Send</h3>
${jsonBlock('The envelope', { toAddress: sealed.to, recipientDeviceKey: bob.sealKeyStatement.key, ...sealed.wire })}
<p>Seal one copy for each device key. Send those for a person as a batch to <a href="#sendEnvelopes"><code>/envelopes</code></a>. For a group, seal for every
key in <code>memberDeviceKeys</code> and post all copies together to <a href="#sendGroupEnvelopes"><code>/groups/:id/envelopes</code></a>: if one is refused, none is
sent.</p>
<p>More values, and copies that must be rejected, are in <a href="/vectors/sealing.json"><code>/vectors/sealing.json</code></a>; <a href="/protocol.md"><code>/protocol.md</code></a> describes every byte.</p>

<h3 id="verifying">Verifying the keys</h3>
<p>The relay returns the keys of an address, and you can verify them. An address belongs to a wallet, which signs the list of its
devices (<code>deviceList</code>, EIP-191). Each device signs its key (<code>sealKeys</code>, Ed25519). The app, <code>waxwing</code> and the library verify both
and store the newest list. <a href="#the-program">The program</a> only shows sealing, and trusts the keys of the relay.</p>
</section>`;
}

function valueTable(values: Record<ValueName, string>, names: [string, ValueName][]): Html {
  const rows = names.map(
    ([label, name]): Content =>
      html`<div><dt>${label} <span class="length">${values[name].length / 2} bytes</span></dt><dd><code>${values[name]}</code></dd></div>`,
  );
  return html`<dl class="values">${rows}</dl>`;
}
