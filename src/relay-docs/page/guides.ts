/**
 * Guides beside the reference: encodings, receiving, limits.
 */
import { INBOX_PAGE, Limits, MAX_ACK_IDS, MAX_WAIT_SECONDS } from '../../protocol/limits.ts';
import { DEFAULT_RELAY_LIMITS, type RelayLimits } from '../../relay/settings/limits.ts';
import type { ExampleWorld } from '../examples/example.ts';
import { codeBlock } from './code.ts';
import { type Html, html, prose } from './html.ts';

export function encodings(): Html {
  return html`<section id="encodings">
<h2>Encodings</h2>
<p>Each value has one form. Others are refused, never repaired.</p>
<dl class="terms">
<dt>Bytes</dt><dd>base64url without padding (RFC 4648, section 5): <code>AAECAwQFBgcICQoL</code>.</dd>
<dt>Addresses</dt><dd><code>0x</code> and 40 hexadecimal digits in lower case. On screen and in signed texts they carry the EIP-55 checksum.</dd>
<dt>Times</dt><dd>RFC 3339 in UTC with milliseconds: <code>2026-11-20T20:00:00.000Z</code>. In signed bytes the same instant is a u64 of milliseconds.</dd>
<dt>Integers in bytes</dt><dd>big-endian.</dd>
<dt>JSON</dt><dd>UTF-8, as <code>application/json</code>. A request with a field that the relay does not know is refused; in answers pass over fields that you do not know.</dd>
<dt>Ids and cursors</dt><dd>opaque, safe in a path.</dd>
</dl>
</section>`;
}

export function receiving({ bob }: ExampleWorld): Html {
  return html`<section id="receiving">
<h2>Receiving and acknowledging</h2>
<p>Every device of an address has a queue of its own. An envelope with <code>recipientDeviceKey</code> goes to the device with that key;
one without goes to all of them. It stays in a queue until that device acknowledges it, or until the relay’s retention ends.</p>
<p>An API key has no queue and no keys of its own. With <code>inbox:read</code> it reads and acknowledges the queue of any device of its address, and
only the program that has that device’s private seal key can open what it reads. So a program that is to receive gets a device of its own:
<code>waxwing init</code>, or <code>Identity</code> in the library.</p>
<ol class="steps">
<li><p>Ask with a wait of up to ${MAX_WAIT_SECONDS} seconds. The relay answers as soon as there is an envelope.</p>
${codeBlock(
  'shell',
  'Wait for mail',
  `export DEVICE_ID="${bob.deviceId}"   # a device of your own

curl "$WAXWING_RELAY/api/v1/inbox?device=$DEVICE_ID&wait=25" \\
  -H "Authorization: Bearer $WAXWING_API_KEY"`,
)}</li>
<li><p>Open each envelope with the private seal key of the device, and store its contents. <code>from</code> comes from the relay:
compare it with <code>sender</code> inside, and verify the signature if there is one.</p></li>
<li><p>Acknowledge only stored envelopes: up to ${MAX_ACK_IDS.toLocaleString('en')} ids at once. Doing it again does no harm.</p></li>
<li><p>If <code>more</code> is true, go on at once; else ask again. A page has ${INBOX_PAGE.default} envelopes unless you ask for up to ${INBOX_PAGE.most}.</p></li>
</ol>
<p>A message may come twice, because its sender got no answer. Both have the same <code>sender</code> and <code>id</code> inside.</p>
</section>`;
}

export function limits(): Html {
  const limits = DEFAULT_RELAY_LIMITS;
  const rows = Object.entries(Limits.shape).map(
    ([name, schema]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${limits[name as keyof Limits].toLocaleString('en')}</td><td>${prose(schema.description ?? '')}</td></tr>`,
  );
  const rates = Object.entries(limits.rates).map(
    ([name, { burst, perSecond }]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${burst.toLocaleString('en')}</td><td>${perSecond.toLocaleString('en')}</td><td>${RATES[name as keyof RelayLimits['rates']]}</td></tr>`,
  );
  return html`<section id="limits">
<h2>Limits</h2>
<p>The defaults; the operator of a relay may change them. <a href="#getMe"><code>GET /me</code></a> reports the limits of the first table at this relay.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Limits"><table class="grid"><thead><tr><th scope="col">Limit</th><th scope="col">Value</th><th scope="col">Of what</th></tr></thead><tbody>${rows}</tbody></table></div>
<h3 id="rate-limits">Rate limits</h3>
<div class="scroll" tabindex="0" role="group" aria-label="Rate limits"><table class="grid"><thead><tr><th scope="col">Name</th><th scope="col">At once</th><th scope="col">A second, in the long run</th><th scope="col">Of what</th></tr></thead><tbody>${rates}</tbody></table></div>
<p>Answers report the remaining calls. Above the limit the answer is <a href="#error-rate_limited">429</a> with <code>Retry-After</code> in seconds: wait so long, then make the same call again.</p>
${codeBlock(
  'text',
  'Headers of an answer',
  `RateLimit-Policy: "credential";q=${limits.rates.credential.burst};w=${Math.ceil(limits.rates.credential.burst / limits.rates.credential.perSecond)}
RateLimit: "credential";r=${limits.rates.credential.burst - 1};t=1`,
)}
</section>`;
}

const RATES: Readonly<Record<keyof RelayLimits['rates'], string>> = {
  credential: 'Calls with one credential.',
  address: 'Calls from one network address.',
  login: 'Calls without a credential, which are logins, from one network address.',
  link: 'Computers that begin to wait to be linked, from one network address.',
  openJoin: 'Joins of one open group from one network, without invitation, link or password.',
  recipient: 'Envelopes to one address, from all senders together.',
  remembered:
    'Envelopes to one address whose ids the relay still knows after the acknowledgement. Nothing is refused beyond it.',
};
