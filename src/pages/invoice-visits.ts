import { checkCard, normalizeCardNumber } from '../domain/card-checks.ts'
import { payByEnteredCard } from '../domain/invoice-submission.ts'
import type { Invoice } from '../domain/invoices.ts'
import { Refusal, refuseProblems } from '../domain/refusal.ts'
import { onClockOf, unixOf } from '../engine/moments.ts'
import { drainDeadlines } from '../engine/real-time.ts'
import type { FormState } from './card-form.ts'
import { notFoundPage, tooManyDeclines } from './closed-pages.ts'
import { fieldOf, NOTHING_KEPT, readTypedCard, type TypedCard } from './entered-card.ts'
import { type PageAnswer, page, seeOther } from './exchange.ts'
import { createFormToken, readFormToken } from './form-token.ts'
import { payableInvoicePage, settledInvoicePage } from './invoice-page.ts'
import { declineNotice, faulty, unverified } from './notices.ts'
import type { Visit } from './session-visits.ts'
import { isPayable, payableSubject } from './subjects.ts'
import { submitOnce } from './submission.ts'

/** GET of an invoice: the form while it can be paid, how it ended afterwards; a draft is nobody's business yet. */
export async function showInvoice(visit: Visit, id: string): Promise<PageAnswer> {
  const invoice = await visit.pages.runtime.store.get('invoices', id)
  if (invoice === null || invoice.status === 'draft') return page(404, notFoundPage(visit.view))
  return isPayable(invoice)
    ? openForm(visit, invoice, {})
    : page(200, settledInvoicePage(invoice, visit.view))
}

/** POST of an invoice's form. */
export async function postInvoice(visit: Visit, id: string): Promise<PageAnswer> {
  const { pages, form, view } = visit
  const { runtime } = pages
  const invoice = await runtime.store.get('invoices', id)
  if (invoice === null || !isPayable(invoice)) return showInvoice(visit, id)
  const typed = readTypedCard(form)
  const { kept } = typed
  const rendered = { sessionId: id, now: runtime.wallNow() }
  const token = readFormToken(fieldOf(form, 'form_token'), rendered, pages.formKey)
  if (token === null)
    return openForm(visit, invoice, { status: 422, notice: unverified(view.language), kept })
  try {
    if (typed.problems.length > 0)
      refuseProblems([...checkCard(typed.entered, await nowOf(visit, invoice)), ...typed.problems])
    const outcome = await submitOnce(runtime, {
      subject: payableSubject(invoice),
      nonce: token.nonce,
      act: (owing, world) => payByEnteredCard(owing, typed.entered, world),
      last4: () => normalizeCardNumber(String(typed.entered.number)).slice(-4),
    })
    if (outcome?.kind === 'authenticate') return seeOther(view.links.threeDSecure(outcome.target))
    if (outcome?.kind !== 'refused') return settled(visit, id)
    return openForm(visit, invoice, { status: 402, notice: declineNotice(outcome, view.language), kept })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return afterRefusal(visit, invoice, { refusal: error, typed })
  }
}

/** Somebody paid it, here or elsewhere. */
async function settled({ pages, view }: Visit, id: string): Promise<PageAnswer> {
  await drainDeadlines(pages.runtime)
  return seeOther(view.links.invoice(id))
}

function afterRefusal(
  visit: Visit,
  invoice: Invoice,
  { refusal, typed }: { readonly refusal: Refusal; readonly typed: TypedCard },
): PageAnswer | Promise<PageAnswer> {
  const { code, message, details } = refusal
  const { kept } = typed
  const { language, links } = visit.view
  if (details.errors !== undefined) {
    return openForm(visit, invoice, { status: 422, notice: faulty(language), kept, problems: details.errors })
  }
  if (code === 'card_decline_rate_limit_exceeded') {
    return tooManyDeclines(invoice, { form: links.invoice(invoice.id), details }, visit.view)
  }
  if (details.decline_code === undefined) throw refusal
  return openForm(visit, invoice, { status: 402, notice: declineNotice({ code, message }, language), kept })
}

function nowOf({ pages: { runtime } }: Visit, invoice: Invoice): Promise<number> {
  return unixOf(onClockOf(invoice), runtime.store, runtime.wallNow())
}

interface Shown extends Partial<Omit<FormState, 'token' | 'now'>> {
  readonly status?: number
}

async function openForm(
  visit: Visit,
  invoice: Invoice,
  { status = 200, notice = null, problems = [], kept = NOTHING_KEPT }: Shown,
): Promise<PageAnswer> {
  const { pages, view } = visit
  const rendered = { sessionId: invoice.id, nonce: pages.newNonce(), issuedAt: pages.runtime.wallNow() }
  const token = createFormToken(rendered, pages.formKey)
  const now = await nowOf(visit, invoice)
  return page(status, payableInvoicePage(invoice, { token, notice, problems, kept, now }, view))
}
