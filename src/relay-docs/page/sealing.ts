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
and exports it; AES-256-GCM uses it with the nonce that travels in the envelope. Any RFC 9180 library that can export will do.</p>
<p>This is suite 1, which every device opens. Apps seal in suite 2, which a quantum computer does not open either: HPKE’s MLKEM768-X25519, to
devices whose seal key has <code>pq</code>. <a href="/protocol.md"><code>/protocol.md</code></a> and
<a href="/vectors/suite2.json"><code>/vectors/suite2.json</code></a> have it.</p>
${codeBlock(
  'text',
  'In short',
  `enc, context = HPKE.SetupBaseS(recipient's device key, info)
info         = "waxwing/seal/v1" || from (20 bytes) || to (20 bytes)
key          = context.Export("waxwing/seal/v1/key", 32)
nonce        = 12 random bytes
ciphertext   = header || AES-256-GCM(key, nonce, additional data = header, padded payload)`,
)}
<p>Below, <code>${sealed.from}</code> writes “hello” to <code>${sealed.to}</code>. All keys are fixed, so you can check your own code
against each value. In life, make a new ephemeral key and a new nonce for every copy.</p>

<h3 id="seal-payload">1. Write the payload</h3>
<p>For a person it begins with <code>SEALEDMSG</code>, for a group with <code>SEALEDGRP</code>. Then follow the version <code>02</code> and how it is signed:
<code>00</code> says that nobody signed, which is what programs without a certified device send. The rest is JSON.</p>
${jsonBlock('The JSON, here on several lines', JSON.parse(sealed.body))}
<p><code>id</code> is 16 random bytes; <code>seq</code> is 0 where nobody signed. A group message has
<code>groupId</code> and <code>roster</code> (the newest entry of the group’s chain, as <code>GET /groups/:id</code> returns it) in place of <code>peer</code>.</p>
${show(['SEALEDMSG 02 00 JSON', 'payload'])}
<p class="note">Recipients drop unsigned messages of a sender who does not allow them. Unlocking Developer API access in the app allows
those by API key. Unsigned posts by a group token count where the group’s chain says <code>unsignedBots</code>; a bot with a key of its
own signs: <code>02</code>, the first 16 bytes of SHA-256 of its public key and the signature take the place of <code>00</code>.</p>

<h3 id="seal-padding">2. Pad it</h3>
<p>Append <code>80</code>, then zeros up to 256, 512, 1,024, 2,048 or 4,096 bytes; above, to the next step of Padmé, at most 65,536. So the length tells
little.</p>
${show(['padded payload', 'paddedPayload'])}

<h3 id="seal-agreement">3. Agree on a secret</h3>
<p>Take one of the recipient’s <code>deviceKeys</code> and a fresh X25519 key pair. Refuse a result that is all zero.</p>
${show(
  ['recipient’s private key', 'recipientPrivateKey'],
  ['recipient’s device key (pkR)', 'recipientPublicKey'],
  ['ephemeral private key (skE)', 'ephemeralPrivateKey'],
  ['ephemeralPublicKey (enc)', 'ephemeralPublicKey'],
  ['dh = X25519(skE, pkR)', 'dh'],
  ['shared_secret (RFC 9180, 4.1)', 'sharedSecret'],
)}

<h3 id="seal-key">4. Export the key</h3>
<p><code>from</code> is the address under which the relay will route the message: that of <code>GET /me</code>, for a group token the creator’s. <code>to</code> is
<code>toAddress</code>.</p>
${show(
  ['info', 'info'],
  ['key_schedule_context (5.1)', 'keyScheduleContext'],
  ['secret (5.1)', 'secret'],
  ['exporter_secret (5.1)', 'exporterSecret'],
  ['key = Export("waxwing/seal/v1/key", 32)', 'key'],
)}

<h3 id="seal-encrypt">5. Encrypt</h3>
<p>The header is 12 bytes: version 1, suite 1, flags (bit 0 <code>asRequest</code>, bit 1 written by a program), 0, and two u32 with the sequences of the
sender’s and the recipient’s device lists, 0 where you do not know them. It is the additional data, and stands before what AES-GCM gives; the
tag of 16 bytes comes last.</p>
${show(['header', 'header'], ['nonce', 'nonce'], ['ciphertext', 'ciphertext'])}

<h3 id="seal-envelope">6. Send</h3>
${jsonBlock('The envelope', { toAddress: sealed.to, recipientDeviceKey: bob.sealKeyStatement.key, ...sealed.wire })}
<p>One copy for each device key. To a person, send them as a batch to <a href="#sendEnvelopes"><code>/envelopes</code></a>. To a group, seal for every
key in <code>memberDeviceKeys</code> and post all copies at once to <a href="#sendGroupEnvelopes"><code>/groups/:id/envelopes</code></a>: if one is refused, none is
sent.</p>
<p>More values, and copies that must not open, are in <a href="/vectors/sealing.json"><code>/vectors/sealing.json</code></a>; <a href="/protocol.md"><code>/protocol.md</code></a> has every byte.</p>

<h3 id="verifying">Whose key is it?</h3>
<p>The relay reports the keys of an address, and you can verify them. The address is a wallet’s; the wallet signs the list of its
devices (<code>deviceList</code>, EIP-191), and each device signs its key (<code>sealKeys</code>, Ed25519). The app, <code>waxwing</code> and the library check both
and remember the newest list. <a href="#the-program">The program</a> does not: it shows sealing, and trusts the relay for keys.</p>
</section>`;
}

function valueTable(values: Record<ValueName, string>, names: [string, ValueName][]): Html {
  const rows = names.map(
    ([label, name]): Content =>
      html`<div><dt>${label} <span class="length">${values[name].length / 2} bytes</span></dt><dd><code>${values[name]}</code></dd></div>`,
  );
  return html`<dl class="values">${rows}</dl>`;
}
