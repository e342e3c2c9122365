/** The protocol, its vectors, and the signed texts in full. */
import { deviceListHash, deviceListText } from '../../protocol/device-list.ts';
import { loginText } from '../examples/account.ts';
import type { ExampleSet } from '../examples/index.ts';
import { codeBlock } from './code.ts';
import { type Html, html } from './html.ts';

export function protocol(textPaths: readonly string[]): Html {
  const vectors = textPaths.filter((path) => path.endsWith('.json'));
  return html`<section id="protocol">
<h2>Protocol and test vectors</h2>
<p>This page describes sending. <a href="/protocol.md">/protocol.md</a> describes every byte of a complete client:
devices, receiving, groups and all checks. Each part has test vectors with every intermediate value, and invalid cases.
<a href="/vectors/README.md">/vectors/README.md</a> describes the files:</p>
<ul>${vectors.map((path) => html`<li><a href="${path}"><code>${path}</code></a></li>`)}</ul>
</section>`;
}

export function signedTexts({ world, calls }: ExampleSet): Html {
  const { ann } = world;
  const [, renewal] = calls.createSession;
  return html`<section id="signed-texts">
<h2>Texts that are signed</h2>
<p>A wallet signs two texts, both as EIP-191 <code>personal_sign</code>: UTF-8, LF between lines, none at the end. Both sides build them from
the fields and never parse them. The signatures below were made with the private key of 32 bytes <code>11</code>.</p>
<p class="note">The relay of the examples is <code>${world.relay.host}</code>, because the signatures include its name. Replace it with the host and URL of
your relay.</p>
<h3 id="login-text">Login</h3>
<p>The fields come from <a href="#createChallenge"><code>POST /auth/challenge</code></a> (EIP-4361). Do not sign if <code>domain</code> is not the host of
your call. Send the signature to <a href="#createSession"><code>POST /auth/session</code></a>.</p>
${codeBlock('text', 'Login text', loginText(world))}
${codeBlock('text', 'Signature', calls.createSession[0].request.signature)}
<h3 id="renewal-bytes">Login with a device</h3>
<p>A device in the list needs no wallet. It signs these bytes with Ed25519: <code>"waxwing/session/v1"</code>, the address (20
bytes), the <code>deviceId</code> (16), <code>issuedAt</code> in milliseconds since 1970 (u64), the relay’s host in UTF-8.</p>
${codeBlock('text', 'Signature by the device', renewal?.request.signature ?? '')}
<h3 id="device-list-text">Device list</h3>
<p>Send it to <a href="#putDevices"><code>PUT /me/devices</code></a>. <code>Previous</code> is <code>none</code> in the first list, otherwise base64url of SHA-256 of the previous
text. One <code>Device</code> line for each device, in ASCII order of the ids: <code>deviceId</code> (the first 16 bytes of SHA-256 of the key), the Ed25519 key, the
type, and the expiry of the device.</p>
${codeBlock('text', 'Device list text', deviceListText(ann.address, ann.deviceList))}
${codeBlock('text', 'Signature of the list', ann.deviceList.signature)}
${codeBlock('text', 'Hash for the next list', deviceListHash(ann.address, ann.deviceList))}
</section>`;
}
