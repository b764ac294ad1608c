import { html } from './html.ts'

/** The marks of the most common card networks, whose class is the brand. Decorative: screen readers announce the brand as text. */
export const CARD_MARKS = html`<svg class="visa" viewBox="0 0 30 20" aria-hidden="true"><rect width="30" height="20" rx="3" fill="#fff"/><path d="M6 7l3 6.5L12.2 7M15 7l-1.5 6.5M21 7.7c-1.6-1-4-.5-3.8.8.2 1.3 3 1.2 2.7 2.9-.3 1.5-2.6 1.6-4.3.7M21.5 13.5L25 7.2l1 6.3M22.8 11.5h3" fill="none" stroke="#1a3fae" stroke-width="1.6"/></svg><svg class="mastercard" viewBox="0 0 30 20" aria-hidden="true"><rect width="30" height="20" rx="3" fill="#fff"/><circle cx="11.8" cy="10" r="5.5" fill="#e8112d"/><circle cx="18.2" cy="10" r="5.5" fill="#f79e1b" fill-opacity=".85"/></svg><svg class="amex" viewBox="0 0 30 20" aria-hidden="true"><rect width="30" height="20" rx="3" fill="#1f72cd"/><path d="M3.5 13l2.3-6 2.3 6M4.3 11.3h3M10 13V7.3l2.2 3.2 2.2-3.2V13M20.5 7.5h-3.7v5h3.7M16.8 10h3.3M22 7.3l4.5 5.7M26.5 7.3L22 13" fill="none" stroke="#fff" stroke-width="1.3"/></svg>`

/** The back of a card with its security code. */
export const CODE_MARK = html`<svg viewBox="0 0 30 20" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><rect x="1" y="1" width="28" height="18" rx="3"/><path d="M1 6.5h28" stroke-width="3"/><rect x="17" y="11" width="9" height="5" rx="1.5"/></svg>`
