import type { PageContext } from '../forms/page-context.ts'
import { type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { negotiateLanguage } from '../languages/language.ts'

/** Matches the languages whose letters the standard fonts of PDF lack. */
const UNPRINTABLE = /^(ja|ar)\b/

/** Returns the receipts on the page of `showPage` as PDF, so that both have the same access rules. */
export async function showReceiptPdf(
  context: PageContext,
  showPage: (context: PageContext) => Promise<PageResponse>,
): Promise<PageResponse> {
  const { view, pages, path } = context
  const language = UNPRINTABLE.test(view.language.tag) ? negotiateLanguage('en') : view.language
  // The request accepts HTML, because the page of a session otherwise redirects to the merchant.
  const shown = await showPage({ ...context, wantsHtml: true, view: { ...view, language } })
  const location = shown.headers['Location'] ?? ''
  // The page of the payment of a session redirects to the page of the session.
  if (shown.body === null) return redirectSeeOther(location.replace(/\/done(?=\?|$)/, '/receipt.pdf'))
  const page = path.replace(/\/receipt\.pdf$/, '')
  if (shown.receiptPage === undefined)
    return shown.status === 200 ? redirectSeeOther(view.links.page(page)) : shown
  // The module is loaded on demand: few servers need pdfkit, which is larger than all pages.
  const { renderReceiptPdf } = await import('./receipt-pdf.ts')
  const { checkoutUrl, yieldToEventLoop } = pages.runtime
  const options = { brandName: view.brand.name, url: new URL(page, checkoutUrl).href, yieldToEventLoop }
  const body = await renderReceiptPdf(shown.receiptPage, language, options)
  const headers = {
    ...shown.headers,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Type': 'application/pdf',
    'Content-Disposition': `attachment; filename="receipt-${page.split('/').at(-1)}.pdf"`,
  }
  return { status: 200, headers, body }
}
