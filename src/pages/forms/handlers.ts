import type { View } from '../view/view.ts'
import type { PostedForm } from './entered-card.ts'
import { type PageAnswer, type Pages, seeOther } from './http.ts'
import { openResumed, type Reason, type Resumed, sealResumed } from './resumed-form.ts'

/** One request to one page, with what every page needs. */
export interface Visit {
  readonly pages: Pages
  readonly view: View
  readonly form: PostedForm
  readonly wantsHtml: boolean
  /** The path that was asked for. */
  readonly here: string
  readonly isDrawerOpen: boolean
  /** What a form that was sent before is shown again with. */
  readonly resumed: Resumed | null
}

/** A form to be shown: what it was sent before with, and the status to show it with. */
export interface Shown {
  readonly resumed: Resumed | null
  readonly status?: number
}

/** What opens the drawer, as a name in the query of a page's address. */
export const OPEN_DRAWER = 'developer'

const AGAIN = 'again'

const STATUSES: Readonly<Record<Reason['why'], number>> = {
  unverified: 422,
  faulty: 422,
  unchosen: 422,
  declined: 402,
  too_many_declines: 429,
  unused: 409,
}

/** What the query of a page's address says. */
export function readQuery(
  query: string,
  { pages, here }: Pick<Visit, 'pages' | 'here'>,
): Pick<Visit, 'isDrawerOpen' | 'resumed'> {
  const said = new URLSearchParams(query)
  const now = pages.runtime.wallNow()
  return {
    isDrawerOpen: said.has(OPEN_DRAWER),
    resumed: openResumed(said.get(AGAIN), { path: here, now }, pages.formKey),
  }
}

/**
 * Answers a form that is to be shown again. A browser is sent to a page of its own, so that going back, going forward
 * and reloading never send the form once more; whoever wants no HTML gets the answer with its status at once.
 */
export function showAgain(
  visit: Visit,
  resumed: Resumed,
  directly: (status: number) => Promise<PageAnswer>,
): PageAnswer | Promise<PageAnswer> {
  const { pages, here, isDrawerOpen, wantsHtml } = visit
  if (!wantsHtml) return directly(STATUSES[resumed.reason.why])
  const sending = { path: here, nonce: pages.newNonce(), sentAt: pages.runtime.wallNow() }
  const sealed = sealResumed(resumed, sending, pages.formKey)
  return seeOther(`${here}?${AGAIN}=${sealed}${isDrawerOpen ? `&${OPEN_DRAWER}` : ''}`)
}

/** Answers a form by what a page shows that is there anyway: a browser is sent to it, as by `showAgain`. */
export function showInstead({ wantsHtml }: Visit, path: string, directly: () => PageAnswer): PageAnswer {
  return wantsHtml ? seeOther(path) : directly()
}
