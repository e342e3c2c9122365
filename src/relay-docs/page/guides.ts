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
<p>Each value has exactly one form. Other forms are refused and never corrected.</p>
<dl class="terms">
<dt>Bytes</dt><dd>base64url without padding (RFC 4648, section 5): <code>AAECAwQFBgcICQoL</code>.</dd>
<dt>Addresses</dt><dd><code>0x</code> and 40 hexadecimal digits in lower case. On the screen and in signed texts they have the EIP-55 checksum.</dd>
<dt>Times</dt><dd>RFC 3339 in UTC with milliseconds: <code>2026-11-20T20:00:00.000Z</code>. In signed bytes a time is a u64 of milliseconds.</dd>
<dt>Integers in bytes</dt><dd>big-endian.</dd>
<dt>JSON</dt><dd>UTF-8, as <code>application/json</code>. Requests with unknown fields are refused. Ignore unknown fields of responses.</dd>
<dt>Ids and cursors</dt><dd>opaque, safe in a path.</dd>
</dl>
</section>`;
}

export function receiving({ bob }: ExampleWorld): Html {
  return html`<section id="receiving">
<h2>Receiving and acknowledging</h2>
<p>Every device of an address has its own queue. An envelope with <code>recipientDeviceKey</code> goes to the device with that key;
one without goes to all of them. It stays in a queue until that device acknowledges it, or until the relay’s retention ends.</p>
<p>An API key has no queue and no keys. With <code>inbox:read</code> it reads and acknowledges the queues of all devices of its address, but
opening an envelope needs the private seal key of its device. A program that receives messages therefore needs its own device:
<code>waxwing init</code>, or <code>Identity</code> in the library.</p>
<ol class="steps">
<li><p>Call with a wait of up to ${MAX_WAIT_SECONDS} seconds. The relay responds as soon as there is an envelope.</p>
${codeBlock(
  'shell',
  'Wait for mail',
  `export DEVICE_ID="${bob.deviceId}"   # your own device

curl "$WAXWING_RELAY/api/v1/inbox?device=$DEVICE_ID&wait=25" \\
  -H "Authorization: Bearer $WAXWING_API_KEY"`,
)}</li>
<li><p>Open each envelope with the private seal key of the device, and store its contents. <code>from</code> comes from the relay:
compare it with <code>sender</code> inside, and verify the signature if there is one.</p></li>
<li><p>Acknowledge only stored envelopes, up to ${MAX_ACK_IDS.toLocaleString('en')} ids in one call. A repeated call has no further effect.</p></li>
<li><p>Repeat the call. If <code>more</code> is true, the next page is available at once. A page has ${INBOX_PAGE.default} envelopes by default, at most ${INBOX_PAGE.most}.</p></li>
</ol>
<p>A message may arrive twice if its sender received no response. Both copies contain the same <code>sender</code> and <code>id</code>.</p>
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
<p>These are the defaults; the operator of a relay may change them. <a href="#getMe"><code>GET /me</code></a> returns the limits of the first table for this relay.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Limits"><table class="grid"><thead><tr><th scope="col">Limit</th><th scope="col">Value</th><th scope="col">Applies to</th></tr></thead><tbody>${rows}</tbody></table></div>
<h3 id="rate-limits">Rate limits</h3>
<div class="scroll" tabindex="0" role="group" aria-label="Rate limits"><table class="grid"><thead><tr><th scope="col">Name</th><th scope="col">At once</th><th scope="col">Per second, on average</th><th scope="col">Applies to</th></tr></thead><tbody>${rates}</tbody></table></div>
<p>Responses contain the number of remaining calls. Above the limit the response is <a href="#error-rate_limited">429</a> with <code>Retry-After</code> in seconds: wait for this time, then repeat the call.</p>
${codeBlock(
  'text',
  'Headers of a response',
  `RateLimit-Policy: "credential";q=${limits.rates.credential.burst};w=${Math.ceil(limits.rates.credential.burst / limits.rates.credential.perSecond)}
RateLimit: "credential";r=${limits.rates.credential.burst - 1};t=1`,
)}
</section>`;
}

const RATES: Readonly<Record<keyof RelayLimits['rates'], string>> = {
  credential: 'Calls with one credential.',
  address: 'Calls from one network address.',
  login: 'Logins and other calls without a credential, from one network address.',
  link: 'New computers that wait to be linked, from one network address.',
  openJoin: 'Joins of one open group from one network, without invitation, link or password.',
  recipient: 'Envelopes to one address, from all senders together.',
  remembered:
    'Envelopes to one address whose ids are stored after the acknowledgement. Further envelopes are accepted, without their ids.',
};
