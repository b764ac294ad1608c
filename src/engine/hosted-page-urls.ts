import type { StoredObject } from '../domain/core/changes.ts'
import type { Event } from '../domain/events/events.ts'
import type { Payment } from '../domain/payments/payments.ts'
import { SESSION_PREFIXES_AND_PATHS } from '../domain/sessions/sessions.ts'
import type { StoreContents } from '../store/port/store.ts'
import type { Runtime } from './runtime.ts'

/** The fields of records that contain the URL of a hosted page. Only in sessions, `url` is the URL of a hosted page. */
interface PageUrlFields {
  readonly url?: string
  readonly hosted_invoice_url?: string | null
  readonly next_action?: Payment['next_action']
}

/** Number of records between two calls of `yieldToEventLoop`; one call takes about as long as some records. */
const RECORDS_PER_YIELD = 32

/**
 * Returns the contents of a store with another checkout URL at the start of all URLs of hosted pages, also in events.
 * Records without such a URL are not copied, so that stores can share them.
 */
export async function replaceHostedPageUrls(
  { records, sequence }: StoreContents,
  { checkoutUrl, yieldToEventLoop }: Pick<Runtime, 'checkoutUrl' | 'yieldToEventLoop'>,
): Promise<StoreContents> {
  async function moveAll<T>(all: readonly T[], move: (record: T) => T): Promise<T[]> {
    const moved: T[] = []
    for (const record of all) {
      moved.push(move(record))
      if (moved.length % RECORDS_PER_YIELD === 0) await yieldToEventLoop()
    }
    return moved
  }
  const move = <T extends StoredObject>(record: T) => moveUrls(record, record.object, checkoutUrl)
  return {
    sequence,
    records: {
      ...records,
      checkout_sessions: await moveAll(records.checkout_sessions, move),
      payment_sessions: await moveAll(records.payment_sessions, move),
      card_sessions: await moveAll(records.card_sessions, move),
      portal_sessions: await moveAll(records.portal_sessions, move),
      invoices: await moveAll(records.invoices, move),
      payments: await moveAll(records.payments, move),
      events: await moveAll(records.events, (event) => moveEventUrls(event, checkoutUrl)),
    },
  }
}

function moveEventUrls(event: Event, checkoutUrl: string): Event {
  const { object, previous_attributes: previous } = event.data
  const moved = moveUrls(object, object.object, checkoutUrl)
  const movedPrevious = previous && moveUrls(previous, object.object, checkoutUrl)
  if (moved === object && movedPrevious === previous) return event
  const data =
    movedPrevious === undefined ? { object: moved } : { object: moved, previous_attributes: movedPrevious }
  return { ...event, data }
}

/** Returns the fields of a record, or its previous attributes, with replaced URLs. */
function moveUrls<T extends object>(fields: T, object: string, checkoutUrl: string): T {
  const { url, hosted_invoice_url, next_action } = fields as PageUrlFields
  const move = (page: string) => checkoutUrl + pagePathOf(page)
  if (typeof url === 'string' && object in SESSION_PREFIXES_AND_PATHS) return { ...fields, url: move(url) }
  if (typeof hosted_invoice_url === 'string')
    return { ...fields, hosted_invoice_url: move(hosted_invoice_url) }
  if (object !== 'payment' || !next_action) return fields
  const redirect_to_url = { url: move(next_action.redirect_to_url.url) }
  return { ...fields, next_action: { ...next_action, redirect_to_url } }
}

/** Returns the last two segments of the path of a URL, such as `/checkout/cks_…`. */
function pagePathOf(url: string): string {
  return url.slice(url.lastIndexOf('/', url.lastIndexOf('/') - 1))
}
