import { type Html, html } from '../../pages/markup/html.ts'
import { createCspHash } from '../../pages/view/assets.ts'
import { readBuiltFile } from '../../pages/view/built-file.ts'
import type { StaticDocument } from '../http/document-handler.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // The script can insert untrusted strings as text only, never as HTML.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** The folder of the script and the style sheet. */
export const ASSETS_PATH = '/dashboard/assets'

/** Returns the page whose script renders every screen. `sandbox` is the sandbox that the browser is signed in to. */
export function createDashboardPage(csrfToken: string, sandbox: string): StaticDocument {
  return {
    headers: { ...PAGE_HEADERS, 'Content-Security-Policy': POLICY },
    body: page(
      `<meta name="csrf-token" content="${csrfToken}">
<meta name="sandbox" content="${sandbox}">
<link rel="stylesheet" href="${ASSETS_PATH}/dashboard.css">
<script type="module" src="${ASSETS_PATH}/dashboard.js"></script>`,
      '<div id="app"></div>\n<noscript>The dashboard needs JavaScript. Without it, use the command line: paycli --help.</noscript>',
    ),
  }
}

/**
 * Returns the page after a sign-in, which opens the dashboard. A redirect would fail: after a link on another site, the
 * browser sends no `SameSite=Strict` cookie with the redirected request.
 */
export function createSignInSuccessPage(path: string): StaticDocument {
  const main = html`<p>Opening the <a href="${path}">dashboard</a> …</p>`
  return plainPage(main, { Refresh: `0; url=${path}` })
}

/**
 * Returns the page of a one-time address for requests that no user sent and for links of other sites. The link on the
 * page signs the browser in.
 */
export function createLoginConfirmationPage(path: string): StaticDocument {
  return plainPage(html`<h1>Sign in to the dashboard</h1>
<p><a href="${path}">Open the dashboard</a>. This address signs in one browser, once.
Open it only if you or your team created it.</p>`)
}

/** Returns the page for a browser that is not signed in. */
export function createSignInHelpPage(): StaticDocument {
  return plainPage(html`<h1>Sign in to the dashboard</h1>
<p>This address works for browsers that are signed in. A link from <code>paycli serve</code> signs in one browser, once, within an hour.</p>
<p>To open a new one, run:</p>
<pre>paycli open dashboard</pre>`)
}

/** Returns the script or the style sheet. */
export function getDashboardAsset(file: 'dashboard.js' | 'dashboard.css'): StaticDocument {
  const type = file === 'dashboard.js' ? 'text/javascript' : 'text/css'
  return {
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'X-Content-Type-Options': 'nosniff' },
    body: readBuiltFile(file),
  }
}

function plainPage(main: Html, headers: Readonly<Record<string, string>> = {}): StaticDocument {
  const style = readBuiltFile('plain.css')
  const policy = `default-src 'none'; style-src ${createCspHash(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return {
    headers: { ...PAGE_HEADERS, 'Content-Security-Policy': policy, ...headers },
    body: page(
      `<style>${style}</style>`,
      `<main class="plain">\n<section class="prose">${main}</section>\n</main>`,
    ),
  }
}

function page(head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>paycli dashboard</title>
${head}
</head>
<body>
${body}
</body>
</html>
`
}
