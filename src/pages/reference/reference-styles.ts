/** Styles of the reference, in addition to those of the hosted pages. */
export const REFERENCE_STYLES = `
main.reference, main.plain { max-width: 76rem; padding-top: 0.5rem; gap: 2rem; }
main.plain { max-width: 46rem; }
body:has(main.reference) > .top { max-width: 76rem; }
body:has(main.plain) > .top { max-width: 46rem; }
a.brand { color: inherit; text-decoration: none; }
.reference > *, .plain > * { min-width: 0; }
.reference h1, .plain h1 { font-size: 1.75rem; font-weight: 700; letter-spacing: -0.01em; }
.reference h2, .plain h2 { font-size: 1.375rem; }
.prose > * + * { margin-top: 0.75rem; }
.prose ul { list-style: disc; padding-left: 1.25rem; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { border-radius: 0.25rem; background: color-mix(in srgb, var(--quiet) 12%, transparent); }
dd code, p code, li code { padding: 0.0625rem 0.25rem; }
.contents > ul { display: flex; flex-wrap: wrap; gap: 0.375rem; }
.contents > ul > li > a { display: block; padding: 0.375rem 0.75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); text-decoration: none; }
.contents ul ul { display: none; }
.body > * + * { margin-top: 2.5rem; }
.body section > * + * { margin-top: 1rem; }
section[id], article[id], dt[id] { scroll-margin-top: 1rem; }
article { padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface); }
article > * + * { margin-top: 0.875rem; }
article h3 { margin: 0; font-size: 1rem; line-height: 1.4; }
article h3 code { background: none; font-weight: 650; }
article h4 { margin: 1.25rem 0 0; font-size: 0.875rem; color: var(--quiet); }
.verb { display: inline-block; margin-right: 0.375rem; padding: 0.0625rem 0.4375rem; border-radius: 0.3125rem; background: var(--badge-ground); color: var(--badge); font-size: 0.8125rem; font-weight: 650; }
.verb.get { background: var(--good-ground); color: var(--good); }
.verb.delete { background: var(--error-ground); color: var(--error); }
.fields > div { padding: 0.5rem 0; border-top: 1px solid var(--line); }
.fields dt { color: var(--quiet); font-size: 0.875rem; }
.fields dt code { padding: 0; background: none; }
.fields dt .name { font-weight: 650; color: var(--text); }
.fields dt b { color: var(--badge); font-weight: 550; }
.fields dd { font-size: 0.9375rem; }
.fields .fields { margin: 0.375rem 0 0 0.75rem; }
details > summary { cursor: pointer; color: var(--accent); }
pre { margin: 0; padding: 0.875rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--ground); overflow-wrap: normal; tab-size: 2; }
pre code { background: none; font-size: 0.8125rem; }
details > pre, details > dl { margin-top: 0.75rem; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.4375rem 0.75rem 0.4375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 550; }
td code { white-space: nowrap; background: none; }
.codes dt { margin-top: 1.25rem; font-weight: 600; }
.codes dd { color: var(--quiet); }
.codes code { background: none; padding: 0; }
.codes dt code { font-size: 1rem; }
article:target, dt:target { outline: 2px solid var(--focus); }
dt:target { outline-offset: 0.25rem; }

@media (min-width: 60rem) {
  main.reference { grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; padding-top: 1.5rem; align-items: start; }
  .contents { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; font-size: 0.9375rem; }
  .contents ul, .contents ul ul { display: block; }
  .contents ul > li > a { display: block; padding: 0.25rem 0; border: 0; background: none; text-decoration: none; }
  .contents > ul > li > a { padding: 0.75rem 0 0.25rem; border: 0; background: none; font-weight: 600; }
}
`
