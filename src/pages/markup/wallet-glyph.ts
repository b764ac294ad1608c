import { html } from './html.ts'

/**
 * The icon of the simulated wallet, which resembles no real brand. The icon is decorative, because the text next to it
 * has the same meaning.
 */
export const WALLET_GLYPH = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><path d="M18 8V4H5a2 2 0 0 0 0 4h16v12H5a2 2 0 0 1-2-2V6M17 14h.01"/></svg>`
