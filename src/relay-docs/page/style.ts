/**
 * The page's style. The colours are the app's.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#fcfaf7, #1b1815);
  --side: light-dark(#f4f0ea, #151210);
  --code: light-dark(#f4f0ea, #151210);
  --line: light-dark(#e3dbd0, #35302a);
  --ink: light-dark(#2a231d, #f2ece5);
  --soft: light-dark(#61564b, #b9aea2);
  --wax: light-dark(#9d2219, #f29a8d);
  --wax-soft: light-dark(#f8e5e1, #40241f);
  --key: light-dark(#7a1f52, #e9a3c9);
  --string: light-dark(#2c6334, #8fc995);
  --number: light-dark(#6f4d00, #f0c96c);
  --get: light-dark(#2c6334, #8fc995);
  --post: light-dark(#6f4d00, #f0c96c);
  --put: light-dark(#2f5482, #9dc0ec);
  --sans: -apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Cantarell, "Noto Sans", Ubuntu, Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
*, ::before, ::after { box-sizing: border-box }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 1rem/1.6 var(--sans) }
a { color: var(--wax); text-underline-offset: .2em; text-decoration-thickness: 1px }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 2px solid var(--wax); outline-offset: 2px; border-radius: 2px }
code, pre { font-family: var(--mono); font-size: .875em }
:not(pre) > code { overflow-wrap: anywhere }
p > code, li > code, dd > code, p > a > code { background: var(--code); padding: .1em .3em; border-radius: .25rem }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--canvas) }
.skip:focus { left: .5rem; top: .5rem; z-index: 2 }

h1 { font-size: clamp(1.75rem, 1.2rem + 2.5vw, 2.75rem); line-height: 1.15; letter-spacing: -.02em; margin: 0 0 1rem; overflow-wrap: anywhere }
h2 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .75rem }
h3 { font-size: 1.15rem; line-height: 1.35; margin: 2.25rem 0 .5rem }
h4 { font-size: .875rem; margin: 1.25rem 0 .25rem }
p, ul, ol, dl { margin: 0 0 1rem; max-width: 44rem }
.lead { font-size: 1.2rem; color: var(--soft) }
.note { border-left: 3px solid var(--wax); padding-left: 1rem; color: var(--soft) }

main { min-width: 0; padding: 2rem 1rem 4rem }
main > section { padding: 2.5rem 0; border-top: 1px solid var(--line) }
main > section:first-child { border-top: 0; padding-top: 0 }
.menu { border-bottom: 1px solid var(--line); background: var(--side) }
.menu summary { padding: .85rem 1rem; font-weight: 600; cursor: pointer }
.menu nav { padding: 0 1rem 1rem }
.side { display: none }
nav ul { list-style: none; margin: 0; padding: 0 }
nav p { margin: 1.25rem 0 .25rem; font-size: .875rem; font-weight: 600 }
nav a { display: flex; padding: .25rem .5rem; margin-left: -.5rem; border-radius: .375rem; color: var(--soft); text-decoration: none; font-size: .875rem; line-height: 1.4; overflow-wrap: anywhere }
nav a:hover { background: var(--wax-soft); color: var(--ink) }
nav .method { flex: none; width: 3.1rem; font-size: .65rem; line-height: 1.9 }
nav .sub a { margin-left: .5rem }

.facts { display: grid; gap: .25rem 2rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; margin: 1.5rem 0 }
.facts div { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr) }
.facts dt { color: var(--soft) }
.facts dd { margin: 0 }
.terms dt { font-weight: 600 }
.terms dd { margin: 0 0 .75rem }
.steps { padding-left: 1.5rem }
.steps > li { padding-left: .25rem; margin-bottom: 1.25rem }
.steps > li::marker { font-weight: 600; color: var(--wax) }
.steps p { margin-bottom: .5rem }

.code { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--code); overflow: hidden; position: relative; max-width: 60rem }
.code figcaption { padding: .4rem .9rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: .8125rem; min-height: 2.1rem; padding-right: 5rem }
.code pre { margin: 0; padding: .8rem .9rem; overflow: auto; max-height: 34rem; line-height: 1.5; font-size: .9375rem; tab-size: 2 }
.code pre:focus-visible { outline-offset: -2px }
.code button { position: absolute; top: .2rem; right: .35rem; min-height: 1.75rem; padding: 0 .6rem; border: 1px solid transparent; border-radius: .375rem; background: none; color: var(--soft); font: .8125rem var(--sans); cursor: pointer }
.code button:hover { border-color: var(--line); color: var(--ink) }
.comment { color: var(--soft); font-style: italic }
.key { color: var(--key) }
.string { color: var(--string) }
.number { color: var(--number) }

.values { max-width: 60rem; border: 1px solid var(--line); border-radius: .625rem; overflow: hidden }
.values div { padding: .6rem .9rem }
.values div + div { border-top: 1px solid var(--line) }
.values dt { font-size: .875rem; font-weight: 600 }
.values dd { margin: .15rem 0 0; line-height: 1.45 }
.values dd code { background: none; padding: 0; overflow-wrap: anywhere; color: var(--string) }
.length { font-weight: 400; color: var(--soft); margin-left: .5rem }

table { border-collapse: collapse; width: 100%; text-align: left }
th { font-weight: 600 }
td, th { padding: .55rem .75rem .55rem 0; border-top: 1px solid var(--line); vertical-align: top }
.fields { margin: 1.25rem 0 1rem; table-layout: fixed; font-size: .9375rem }
.fields caption { text-align: left; font-weight: 600; font-size: .875rem; padding-bottom: .35rem }
.fields th { width: 38%; overflow-wrap: anywhere; hyphens: manual }
.fields th code { font-size: .8125rem }
.fields td { overflow-wrap: anywhere; padding-right: 0 }
.optional { font-weight: 400; font-size: .8125rem; color: var(--soft); white-space: nowrap }
.type { color: var(--soft); font-size: .875rem }
.scroll { overflow-x: auto; margin-bottom: 1rem; max-width: 60rem }
.grid { min-width: 34rem; font-size: .9375rem }
.grid thead th { border-top: 0; color: var(--soft); font-weight: 600; font-size: .875rem }
.grid td > code, .grid tbody th { white-space: nowrap }
tr:target { background: var(--wax-soft) }

.method { font: 600 .75rem var(--mono); letter-spacing: .02em }
.get { color: var(--get) }
.post { color: var(--post) }
.put, .patch { color: var(--put) }
.delete { color: var(--wax) }
.endpoint { padding: 2rem 0; border-top: 1px solid var(--line); display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(0, 1fr) }
.endpoint h3 { margin: 0 0 .5rem }
.endpoint h3 code { font-size: 1em }
.endpoint .examples { min-width: 0 }
.callers { color: var(--soft); font-size: .9375rem }
.answers { list-style: none; padding: 0; font-size: .9375rem; margin: 0 }
.no-body { color: var(--soft) }
.object { break-inside: avoid; padding-bottom: 1.75rem }
.object h3 { margin: 0 0 .25rem }
.object table { margin-top: .5rem }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }

@media (min-width: 64rem) {
  .menu { display: none }
  .layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
  .side { display: block; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1.25rem 3rem; background: var(--side); border-right: 1px solid var(--line) }
  main { padding: 3rem clamp(2rem, 4vw, 4rem) 6rem }
}
@media (min-width: 80rem) {
  .endpoint { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) }
  .endpoint .examples { position: sticky; top: 1.5rem; align-self: start }
  .endpoint .examples pre { max-height: 20rem }
  .objects { columns: 2; column-gap: 3rem }
}
@media print { .menu, .side, .code button { display: none } .code pre { max-height: none; white-space: pre-wrap } }
`;
