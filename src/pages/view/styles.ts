/** The stylesheet of every page: mobile first, with a light and a dark color scheme. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f8;
  --surface: #ffffff;
  --text: #171b26;
  --quiet: #596275;
  --line: #dfe3ea;
  --field-line: #838c9e;
  --accent: #2a52cc;
  --accent-strong: #1f3fa6;
  --on-accent: #ffffff;
  --focus: #2a52cc;
  --error: #b3201b;
  --error-ground: #fdf1f0;
  --good: #1b7a45;
  --good-ground: #e5f4eb;
  --badge: #7a4a00;
  --badge-ground: #fff1d6;
  --shadow: 0 1px 2px rgb(23 27 38 / 6%), 0 12px 32px rgb(23 27 38 / 7%);
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10131a;
    --surface: #1a1e28;
    --text: #eef0f6;
    --quiet: #a6aebf;
    --line: #2e3442;
    --field-line: #747e92;
    --accent: #91aeff;
    --accent-strong: #b3c7ff;
    --on-accent: #0d1430;
    --focus: #b3c7ff;
    --error: #ffb0a8;
    --error-ground: #35191a;
    --good: #7fd8a4;
    --good-ground: #173326;
    --badge: #ffd58a;
    --badge-ground: #38290c;
    --shadow: none;
  }
}

*, *::before, *::after { box-sizing: border-box; }

body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  -webkit-text-size-adjust: 100%;
  overflow-wrap: anywhere;
}

h1, h2, p, dl, dd, ul, fieldset, figure { margin: 0; padding: 0; }
h1, h2 { line-height: 1.2; text-wrap: balance; }
h2 { font-size: 1.125rem; font-weight: 650; }
ul { list-style: none; }
fieldset { border: 0; min-width: 0; }
bdi { white-space: pre-line; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:hover { color: var(--accent-strong); }

:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 0.25rem; }

.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.top, .foot { width: 100%; max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem; }
.top { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
.top.named { flex-wrap: wrap; row-gap: 0.25rem; }
.named .merchant { flex-basis: 100%; margin: 0; }
.brand { display: flex; align-items: center; gap: 0.5rem; font-weight: 600; }
.brand svg { width: 1.125rem; height: 1.125rem; color: var(--quiet); }
.badge {
  padding: 0.125rem 0.625rem;
  border-radius: 1rem;
  background: var(--badge-ground);
  color: var(--badge);
  font-size: 0.8125rem;
  font-weight: 600;
  white-space: nowrap;
}
.foot { margin-top: auto; color: var(--quiet); font-size: 0.8125rem; text-align: center; }

main { width: 100%; max-width: 60rem; margin: 0 auto; padding: 0.5rem 1.25rem 2rem; display: grid; gap: 1.5rem; }
main.narrow { max-width: 32rem; }

.panel {
  padding: 1.5rem 1.25rem;
  border: 1px solid var(--line);
  border-radius: 1rem;
  background: var(--surface);
  box-shadow: var(--shadow);
}

.eyebrow, .merchant { color: var(--quiet); }
.merchant { margin-top: 0.25rem; font-size: 0.9375rem; }
.price { margin-top: 0.25rem; font-size: 2.25rem; font-weight: 700; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.price.long { font-size: 1.625rem; }
.price small { font-size: 1rem; font-weight: 500; letter-spacing: 0; color: var(--quiet); white-space: nowrap; }
.description { margin-top: 0.75rem; }
.description summary { cursor: pointer; }
.lines { margin-top: 1.25rem; font-variant-numeric: tabular-nums; }
.lines li, .details div { display: flex; justify-content: space-between; gap: 1.5rem; padding: 0.5rem 0; }
.lines li > span:last-child { white-space: nowrap; text-align: end; }
.lines small, .hint { display: block; color: var(--quiet); font-size: 0.875rem; }
.lines .sum { border-top: 1px solid var(--line); margin-top: 0.5rem; padding-top: 0.875rem; color: var(--quiet); }
.lines .tax { padding-top: 0; color: var(--quiet); }
.lines .due { border-top: 1px solid var(--line); margin-top: 0.375rem; padding-top: 0.875rem; font-weight: 650; }
.schedule { margin-top: 0.75rem; }
.for { margin-top: 0.75rem; color: var(--quiet); font-size: 0.9375rem; }

.field, .expiry { margin-top: 1.125rem; }
.row { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem; align-items: end; }
label, legend { display: block; margin-bottom: 0.375rem; padding: 0; font-size: 0.9375rem; font-weight: 550; }
label i, legend i { color: var(--quiet); font-style: normal; font-weight: 400; }
.pair { display: flex; align-items: center; gap: 0.375rem; color: var(--quiet); }

input {
  width: 100%;
  min-height: 3rem;
  padding: 0 0.875rem;
  border: 1px solid var(--field-line);
  border-radius: 0.625rem;
  background: var(--surface);
  color: var(--text);
  font: inherit;
  font-size: 1.0625rem;
  font-variant-numeric: tabular-nums;
}
.pair input { padding-inline: 0.375rem; text-align: center; }
input::placeholder { color: var(--quiet); opacity: 1; }
input:focus-visible { outline-offset: 1px; border-color: var(--focus); border-radius: 0.625rem; }
.with-brand { position: relative; }
#brand { position: absolute; inset-block: 0; right: 0.875rem; display: flex; align-items: center; color: var(--quiet); font-size: 0.8125rem; font-weight: 600; pointer-events: none; }
input[aria-invalid="true"] { border: 2px solid var(--error); }
.field-error { display: flex; gap: 0.375rem; margin-top: 0.375rem; color: var(--error); font-size: 0.9375rem; font-weight: 500; }
.field-error::before { content: "!"; flex: none; width: 1.125rem; height: 1.125rem; margin-top: 0.1875rem; border: 1.5px solid currentcolor; border-radius: 50%; font-size: 0.75rem; font-weight: 700; line-height: 0.9375rem; text-align: center; }

.field-error[hidden] { display: none; }

.notice { margin-top: 1rem; padding: 0.875rem 1rem; border: 1px solid var(--error); border-radius: 0.625rem; background: var(--error-ground); }
.notice strong { display: block; color: var(--error); }

button, .button {
  display: block;
  width: 100%;
  min-height: 3.25rem;
  margin-top: 1.5rem;
  padding: 0.75rem 1rem;
  border: 1px solid transparent;
  border-radius: 0.75rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-size: 1.0625rem;
  font-weight: 650;
  line-height: 1.4;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-strong); color: var(--on-accent); }
button:focus-visible, .button:focus-visible { border-radius: 0.75rem; }
button[aria-disabled="true"] { opacity: 0.75; cursor: progress; }
button.quiet { margin-top: 0.75rem; border-color: var(--field-line); background: transparent; color: var(--text); }
button.quiet:hover { background: var(--ground); }
.consent { margin-top: 0.875rem; color: var(--quiet); font-size: 0.875rem; }

.tests { margin-top: 1.5rem; padding-top: 0.75rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.875rem; }
summary { padding: 0.5rem 0; cursor: pointer; border-radius: 0.25rem; }
.tests dl { margin-top: 0.5rem; display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 0.125rem 1rem; }
.tests dd { font-variant-numeric: tabular-nums; white-space: nowrap; color: var(--text); }
.tests code { font: inherit; user-select: all; -webkit-user-select: all; }
button.pick { display: inline; width: auto; min-height: 1.75rem; margin: 0; padding: 0 0.25rem; border: 0; background: none; color: var(--accent); font: inherit; text-decoration: underline; text-underline-offset: 0.15em; }
button.pick:hover { background: none; color: var(--accent-strong); }

.drawer { width: 100%; max-width: 60rem; margin: 0 auto; padding: 0 1.25rem 1rem; color: var(--quiet); font-size: 0.875rem; }
.drawer h2 { margin-top: 1.25rem; font-size: 0.9375rem; color: var(--text); }
.drawer p { margin-top: 0.25rem; }
.drawer code, .drawer pre { font: 0.8125rem/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; color: var(--text); }
.drawer ol { margin: 0.5rem 0 0; padding: 0; list-style: none; }
.drawer li { padding: 0.5rem 0; border-top: 1px solid var(--line); }
.drawer pre { margin: 0.25rem 0 0; padding: 0.375rem 0.625rem; border-radius: 0.375rem; background: var(--surface); white-space: pre-wrap; }
.drawer .succeeded b { color: var(--good); }
.drawer .failed b { color: var(--error); }
.outcomes { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.5rem; }
.outcomes button { width: auto; min-height: 2.25rem; margin: 0; padding: 0.25rem 0.875rem; border-color: var(--field-line); border-radius: 2rem; background: var(--surface); color: var(--text); font-size: 0.875rem; font-weight: 500; }
.outcomes button:hover { background: var(--ground); color: var(--text); }

.outcome { text-align: center; padding-top: 2rem; padding-bottom: 2rem; }
.outcome h1 { margin-top: 1rem; font-size: 1.625rem; }
.outcome > p { margin-top: 0.75rem; color: var(--quiet); text-wrap: balance; }
.mark { display: inline-grid; place-items: center; width: 3.5rem; height: 3.5rem; border-radius: 50%; background: var(--ground); color: var(--quiet); }
.mark svg { width: 1.75rem; height: 1.75rem; }
.mark.good { background: var(--good-ground); color: var(--good); }
.details { margin-top: 1.5rem; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); padding: 0.5rem 0; text-align: start; font-variant-numeric: tabular-nums; }
.details dt { color: var(--quiet); flex: none; max-width: 50%; }
.details dd { text-align: end; font-weight: 550; }
.details small { font-size: 0.8125rem; font-weight: 400; }
.aside { margin-top: 1rem; text-align: center; font-size: 0.9375rem; }
.stand-in { margin-top: 0; color: var(--quiet); font-size: 0.875rem; }

#card { container-type: inline-size; }

@container (max-width: 22rem) {
  .numbered { display: grid; grid-template-columns: 1fr auto; column-gap: 0.75rem; align-items: end; }
  .with-brand { display: contents; }
  .numbered input, .numbered .field-error { grid-column: 1 / -1; }
  #brand { grid-area: 1 / 2; position: static; min-height: 1lh; margin-bottom: 0.375rem; }
}

@media (max-width: 22rem) {
  .row { grid-template-columns: 1fr; }
}

@media (min-width: 40rem) {
  .panel { padding: 2rem; }
  .top, .foot, .drawer { padding-inline: 2rem; }
  main { padding: 1.5rem 2rem 3rem; gap: 2rem; }
  main.split { max-width: 36rem; }
}

@media (min-width: 50rem) {
  main.split { max-width: 60rem; grid-template-columns: minmax(0, 1fr) minmax(0, 24rem); gap: 2.5rem; align-items: start; }
  main.split .summary { padding-top: 1rem; }
}

@media (min-width: 60rem) {
  main, main.narrow { padding-top: 3rem; }
  main.split { grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 4rem; }
  .price { font-size: 2.75rem; }
  .price.long { font-size: 2rem; }
}

@media (prefers-contrast: more) {
  :root { --line: var(--field-line); --quiet: var(--text); }
}

@media print {
  .tests, .drawer, .badge, button { display: none; }
}
`
