import { PreviewModel } from './previews.ts'
import { isDebited, runOnClock } from './rules.ts'
import type { Card, CardUse, Customer, Session, StepOutcome, Subscription } from './state.ts'

/** The model of saved cards, and of the subscriptions and invoices that they pay. */
export class CardModel extends PreviewModel {
  readonly sessions: Session[] = []

  /** Applies the purpose of a card session to its card. */
  protected useCard(card: Card, use: CardUse): void {
    const { customer } = card
    if (use.for !== 'subscription') customer.card = card
    const live = this.subscriptions.filter((one) => one.customer === customer && one.status !== 'canceled')
    const updated = live.filter((one) => isUpdated(one, use))
    for (const subscription of updated) subscription.card = card
    if (!use.pays) return
    const charged = live.filter((one) => isCharged(one, use))
    const open = charged
      .flatMap(({ invoices }) => invoices.filter(({ status }) => status === 'open'))
      .sort((a, b) => a.start - b.start || this.invoices.indexOf(a) - this.invoices.indexOf(b))
    for (const invoice of open) {
      // An earlier payment may have changed the invoice, and a debit may pay it.
      if (invoice.status !== 'open' || isDebited(invoice)) continue
      this.collect(invoice, { card, isAutomatic: false, isOffSession: false, hasAuthenticated: true })
    }
  }

  openCardSession(
    customer: Customer,
    { use, lifetime }: { readonly use: CardUse; readonly lifetime: number },
  ): StepOutcome {
    return runOnClock(customer, () =>
      use.subscription?.status === 'canceled' ? 'refused' : this.addSession(customer, { use, lifetime }),
    )
  }

  /** Opens a portal session, which expires after an hour. */
  openPortal(customer: Customer): StepOutcome {
    return this.addSession(customer, { isPortal: true, lifetime: 3600 })
  }

  protected addSession(
    customer: Customer,
    {
      lifetime,
      ...kind
    }: Partial<Pick<Session, 'offer' | 'use' | 'isPortal' | 'saves' | 'isHold' | 'amount'>> & {
      readonly lifetime: number
    },
  ): StepOutcome {
    if (customer.isDeleted) return 'refused'
    return runOnClock(customer, () => {
      this.sessions.push({
        customer,
        ...{ offer: null, use: null, isPortal: false, saves: false, isHold: false, amount: 0 },
        ...kind,
        expires: customer.clock.now + lifetime,
        status: 'open',
        owes: 'unpaid',
        ended: null,
        waiting: null,
        subscription: null,
        card: null,
        payments: [],
        declines: [],
      })
      return 'ok'
    })
  }
}

function isUpdated(one: Subscription, use: CardUse): boolean {
  return use.for === 'subscription' ? one === use.subscription : use.for === 'all' && one.card !== null
}

/** Returns whether a subscription is charged to the card after the update; invoices that are sent charge no card. */
function isCharged(one: Subscription, use: CardUse): boolean {
  if (one.terms.daysUntilDue !== null) return false
  return use.for === 'subscription' ? one === use.subscription : use.for === 'all' || one.card === null
}
