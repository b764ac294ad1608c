import { createHash } from 'node:crypto'
import { ERRORS } from '../api/errors.ts'
import { html } from './html.ts'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}' +
  'dt{margin-top:1.2rem;font-weight:600}dd{margin:0}code{font-family:ui-monospace,monospace}' +
  ':target{outline:2px solid;outline-offset:.3rem}:root{color-scheme:light dark}'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The reference that every error's `doc_url` points to, printed from the catalogue itself. */
export function renderErrorReference(): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} {
  const rows = Object.entries(ERRORS).map(
    ([code, [status, type, when]]) =>
      html`<dt id="${code}"><code>${code}</code></dt><dd>${when}</dd><dd>${status}, <code>${type}</code></dd>`,
  )
  const style = html`<style>STYLE</style>`.toString().replace('STYLE', STYLE)
  const body = html`<title>Errors of paycli</title><meta name="viewport" content="width=device-width">
<h1>Errors</h1><p>Every error answer has one of these codes in <code>error.code</code>.</p><dl>${rows}</dl>`
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8">${style}${body}</html>\n`,
  }
}
