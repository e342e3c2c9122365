/** The style of the invite page. The colours are the app's. */
export const INVITE_STYLE = `:root {
  color-scheme: light dark;
  --canvas: light-dark(#fcfaf7, #1b1815);
  --line: light-dark(#e3dbd0, #35302a);
  --ink: light-dark(#2a231d, #f2ece5);
  --soft: light-dark(#61564b, #b9aea2);
  --accent: light-dark(#2a5ca8, #3b6fc0);
  --accent-ink: light-dark(#2a5ca8, #93b8f5);
  --on-accent: #ffffff;
  --sans: -apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Cantarell, "Noto Sans", Ubuntu, Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
*, ::before, ::after { box-sizing: border-box }
[hidden] { display: none !important }
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 1rem/1.6 var(--sans) }
main { max-width: 34rem; margin: 0 auto; padding: clamp(2rem, 10vh, 6rem) 1.25rem 3rem }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.25rem); line-height: 1.2; letter-spacing: -.02em; margin: 0 0 1rem; overflow-wrap: anywhere }
h2 { font-size: 1.05rem; line-height: 1.35; margin: 2.5rem 0 .5rem; padding-top: 1.5rem; border-top: 1px solid var(--line) }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
.soft { color: var(--soft) }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0 .5rem }
.button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1.25rem; border: 1px solid var(--soft); border-radius: .625rem; background: none; color: var(--ink); font: 600 1rem var(--sans); text-decoration: none; cursor: pointer }
.button:hover { border-color: var(--ink) }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
.primary:hover { border-color: var(--ink) }
a { color: var(--accent-ink); text-underline-offset: .2em }
a.primary { color: var(--on-accent) }
input { width: 100%; min-height: 2.75rem; padding: 0 .75rem; border: 1px solid var(--soft); border-radius: .625rem; background: none; color: var(--ink); font: .9375rem var(--sans) }
label { display: block; font-size: .875rem; color: var(--soft) }
:focus-visible { outline: 2px solid var(--accent-ink); outline-offset: 2px }
`;
