import { ERRORS } from '../../src/api/errors.ts'
import { api } from '../../src/api/index.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { grouped, type Snapshot } from '../../src/engine/invariants/snapshot.ts'
import { createSandbox, type Sandbox, START } from '../support/sandbox.ts'
import { totalOf, waitingFor } from './billing-model.ts'
import { BuyerModel } from './buyer-model.ts'
import { modelBooks, realBooks } from './model-books.ts'
import type { Card, Clock, Customer, Outcome, Policy } from './model-state.ts'
import type { Order, Step } from './model-steps.ts'
import { whole } from './retelling.ts'

/** What the model expects of a step, and how to do it for real. */
interface Both {
  readonly expected: Outcome
  readonly real: () => Promise<unknown>
}

type StepOf<S extends Step['step']> = Extract<Step, { readonly step: S }>

const NOBODY = 'nobody'
const CARD_ERROR = 'card_error'

/** The one a pick means, of the fitting ones where there are any. */
function among<T>(list: readonly T[], pick: number, isFitting: (one: T) => boolean = () => true): T | null {
  const fitting = list.filter(isFitting)
  const from = fitting.length > 0 ? fitting : list
  return from[pick % Math.max(1, from.length)] ?? null
}

/** The model and the real thing, side by side. */
export class Twin {
  readonly sandbox: Sandbox
  readonly model: BuyerModel
  readonly #clocks: Clock[] = []
  readonly #ids = new Map<object, string>()

  constructor(policy: Policy) {
    this.sandbox = createSandbox({ dunning: policy })
    this.model = new BuyerModel(policy, START)
  }

  /** Does one step on both sides; fails where they come to something else. */
  async perform(step: Step): Promise<void> {
    const { expected, real } = this.#both(step)
    isSame('the outcome', await outcomeOf(real()), expected)
    await this.sandbox.advance(0)
    this.model.moveTo(this.model.wall, this.model.wall.now)
    const snapshot = await whole(this.sandbox)
    this.#learn(snapshot)
    const { customers, cards, subscriptions, refunds } = this.model
    const found = realBooks(snapshot, {
      customers: customers.map((one) => this.#id(one)),
      cards: cards.map((one) => this.#id(one)),
      subscriptions: subscriptions.map((one) => this.#id(one)),
      refunds: refunds.map((one) => this.#id(one)),
    })
    for (const [kind, entries] of Object.entries(modelBooks(this.model))) {
      isSame(`the number of ${kind}`, found[kind]?.length, entries.length)
      for (const [at, entry] of entries.entries()) isSame(`${kind}[${at}]`, found[kind]?.[at], entry)
    }
  }

  #id(one: object | null): string {
    return (one && this.#ids.get(one)) ?? NOBODY
  }

  /** Invoices and payments that came by themselves, in the order in which they came. */
  #learn({ records }: Snapshot): void {
    const invoicesOf = grouped(records.invoices, ({ subscription }) => subscription)
    const paymentsOf = grouped(records.payments, ({ invoice }) => invoice)
    for (const subscription of this.model.subscriptions) {
      for (const [at, invoice] of subscription.invoices.entries()) {
        const id = invoicesOf.get(this.#id(subscription))?.[at]?.id ?? NOBODY
        this.#ids.set(invoice, id)
        for (const [nth, payment] of invoice.payments.entries()) {
          this.#ids.set(payment, paymentsOf.get(id)?.[nth]?.id ?? NOBODY)
        }
      }
    }
  }

  #both(step: Step): Both {
    switch (step.step) {
      case 'create clock':
      case 'create customer':
      case 'wait':
      case 'advance':
      case 'delete clock':
        return this.#inTime(step)
      case 'buy':
        return this.#buy(step)
      case 'choose':
      case 'delete customer':
      case 'detach':
        return this.#byCustomer(step)
      case 'update':
      case 'cancel':
        return this.#bySubscription(step)
      case 'refund':
        return this.#refund(step)
      default:
        return this.#byInvoice(step)
    }
  }

  #inTime(step: StepOf<'create clock' | 'create customer' | 'wait' | 'advance' | 'delete clock'>): Both {
    const { model, sandbox } = this
    if (step.step === 'wait') {
      model.moveTo(model.wall, model.wall.now + step.seconds)
      return { expected: 'ok', real: () => sandbox.advance(step.seconds) }
    }
    if (step.step === 'create clock') {
      const clock: Clock = { now: START + step.offset, isDeleted: false }
      this.#clocks.push(clock)
      const real = () => sandbox.call(api.testClocks.create, { frozen_time: START + step.offset })
      return { expected: 'ok', real: this.#keeping(clock, real) }
    }
    if (step.step === 'create customer') {
      const clock = step.clock === null ? model.wall : (among(this.#clocks, step.clock) ?? model.wall)
      const expected = model.addCustomer(clock)
      const test_clock = clock === model.wall ? {} : { test_clock: this.#id(clock) }
      const params = { email: 'ada@example.com', ...test_clock }
      const made = expected === 'ok' ? (model.customers.at(-1) ?? null) : null
      return { expected, real: this.#keeping(made, () => sandbox.call(api.customers.create, params)) }
    }
    const clock = among(this.#clocks, step.pick)
    const id = this.#id(clock)
    if (clock === null)
      return { expected: 'refused', real: () => sandbox.call(api.testClocks.delete, { id }) }
    if (step.step === 'delete clock') {
      const real = () => sandbox.call(api.testClocks.delete, { id })
      return { expected: model.deleteClock(clock), real }
    }
    const frozen_time = clock.now + step.seconds
    const real = () => sandbox.call(api.testClocks.advance, { id, frozen_time })
    return { expected: model.advance(clock, step.seconds), real }
  }

  /** Remembers under which id something was really made. */
  #keeping(made: object | null, real: () => Promise<{ readonly id: string }>): () => Promise<void> {
    return async () => {
      const { id } = await real()
      if (made !== null) this.#ids.set(made, id)
    }
  }

  #buy({ pick, alias, isApproved, order }: StepOf<'buy'>): Both {
    const { model, sandbox } = this
    const customer = among(model.customers, pick, ({ isDeleted }) => !isDeleted)
    if (customer === null) return { expected: 'ok', real: async () => {} }
    const { now } = customer.clock
    const { interval, count, items, daysUntilDue } = order
    const anchor = now + (order.start ?? 0)
    const purchase = {
      customer,
      alias,
      isApproved,
      terms: { rhythm: { anchor, interval, count }, items, daysUntilDue },
    }
    const cards = model.cards.length
    const expected = model.buy(purchase)
    const subscription = expected === 'ok' ? (model.subscriptions.at(-1) ?? null) : null
    const card = model.cards[cards] ?? null
    const real = async () => {
      const { id } = await sandbox.call(
        api.checkoutSessions.create,
        checkoutOf(order, this.#id(customer), now),
      )
      const three_d_secure = isApproved ? 'approve' : 'reject'
      await sandbox.call(api.checkoutSessions.complete, { id, test_card: alias, three_d_secure })
      const done = await sandbox.call(api.checkoutSessions.retrieve, { id })
      if (subscription !== null) this.#ids.set(subscription, done.subscription ?? NOBODY)
      if (card !== null) this.#ids.set(card, done.payment_method ?? NOBODY)
    }
    return { expected, real }
  }

  /** A card of a customer that can still be named. */
  #cardOf(customer: Customer, pick: number): Card | null {
    const own = this.model.cards.filter((card) => card.customer === customer && card.isAttached)
    return among(own, pick)
  }

  #byCustomer(step: StepOf<'choose' | 'delete customer' | 'detach'>): Both {
    const { model, sandbox } = this
    if (step.step === 'detach') {
      const card = among(model.cards, step.pick, ({ isAttached }) => isAttached)
      const real = () => sandbox.call(api.paymentMethods.detach, { id: this.#id(card) })
      return { expected: card === null ? 'refused' : model.detach(card), real }
    }
    const customer = among(model.customers, step.pick, ({ isDeleted }) => !isDeleted)
    const id = this.#id(customer)
    if (customer === null || step.step === 'delete customer') {
      const real = () => sandbox.call(api.customers.delete, { id })
      return { expected: customer === null ? 'refused' : model.deleteCustomer(customer), real }
    }
    const card = step.card === null ? null : this.#cardOf(customer, step.card)
    const params = { id, default_payment_method: card === null ? null : this.#id(card) }
    const real = () => sandbox.call(api.customers.update, params)
    return { expected: model.choose(customer, card), real }
  }

  #bySubscription(step: StepOf<'update' | 'cancel'>): Both {
    const { model, sandbox } = this
    const subscription = among(model.subscriptions, step.pick, ({ status }) => status !== 'canceled')
    const id = this.#id(subscription)
    if (subscription === null || step.step === 'cancel') {
      const real = () => sandbox.call(api.subscriptions.cancel, { id })
      return { expected: subscription === null ? 'refused' : model.cancel(subscription), real }
    }
    const { endsWithPeriod } = step
    const chosen = typeof step.card === 'number' ? this.#cardOf(subscription.customer, step.card) : null
    const isSet = step.card !== undefined
    const params = {
      id,
      ...(endsWithPeriod === null ? {} : { cancel_at_period_end: endsWithPeriod }),
      ...(isSet ? { default_payment_method: chosen === null ? null : this.#id(chosen) } : {}),
    }
    const expected = model.update(subscription, { endsWithPeriod, card: isSet ? chosen : undefined })
    return { expected, real: () => sandbox.call(api.subscriptions.update, params) }
  }

  #refund({ pick, share }: StepOf<'refund'>): Both {
    const { model, sandbox } = this
    const payments = model.invoices.flatMap((invoice) => invoice.payments)
    const payment = among(payments, pick, ({ status }) => status === 'succeeded')
    const id = this.#id(payment)
    if (payment === null) {
      return { expected: 'refused', real: () => sandbox.call(api.refunds.create, { payment: id }) }
    }
    const { subtotal, tax } = totalOf(payment.invoice)
    const amount = share === 1 ? null : Math.ceil((subtotal + tax) / share)
    const refunds = model.refunds.length
    const expected = model.refund(payment, amount)
    const params = { payment: id, ...(amount === null ? {} : { amount }) }
    const made = model.refunds[refunds] ?? null
    return { expected, real: this.#keeping(made, () => sandbox.call(api.refunds.create, params)) }
  }

  #byInvoice(step: StepOf<'pay' | 'answer' | 'finalize' | 'void' | 'write off'>): Both {
    const { model, sandbox } = this
    const fitting = { pay: ['open', 'uncollectible'], finalize: ['draft'], void: [], 'write off': ['open'] }
    const invoice = among(model.invoices, step.pick, (one) =>
      step.step === 'answer'
        ? waitingFor(one) !== undefined
        : fitting[step.step].includes(one.status as never),
    )
    const id = this.#id(invoice)
    if (invoice === null) return { expected: 'refused', real: () => sandbox.call(api.invoices.void, { id }) }
    switch (step.step) {
      case 'answer':
        return {
          expected: model.answer(invoice, step.isApproved),
          real: () => sandbox.answer(id, step.isApproved),
        }
      case 'finalize':
        return { expected: model.finalize(invoice), real: () => sandbox.call(api.invoices.finalize, { id }) }
      case 'void':
        return { expected: model.void(invoice), real: () => sandbox.call(api.invoices.void, { id }) }
      case 'write off':
        return {
          expected: model.writeOff(invoice),
          real: () => sandbox.call(api.invoices.markUncollectible, { id }),
        }
      case 'pay': {
        const card = step.card === null ? null : this.#cardOf(invoice.subscription.customer, step.card)
        const chosen = card === null ? {} : { payment_method: this.#id(card) }
        const params =
          step.how === 'out of band'
            ? { paid_out_of_band: true }
            : { off_session: step.how === 'off session', ...chosen }
        const real = () => sandbox.call(api.invoices.pay, { id, ...params })
        return { expected: model.pay(invoice, { card, how: step.how }), real }
      }
    }
  }
}

function checkoutOf({ interval, count, start, items, daysUntilDue }: Order, customer: string, now: number) {
  const sent = { collection_method: 'send_invoice', days_until_due: daysUntilDue ?? 0 } as const
  return {
    customer,
    currency: 'eur',
    subscription_data: {
      interval,
      interval_count: count,
      ...(start === null ? {} : { start_date: now + start }),
      ...(daysUntilDue === null ? {} : sent),
      items: items.map(({ amount, ppm }) => ({
        description: 'Rent',
        price_data: { amount, tax_percent: ppm / 10_000 },
      })),
    },
  }
}

async function outcomeOf(real: Promise<unknown>): Promise<Outcome> {
  try {
    await real
    return 'ok'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return ERRORS[error.code]?.[1] === CARD_ERROR ? { declined: error.code } : 'refused'
  }
}

function isSame(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${what} is\n${a}, but the model says\n${b}`)
}
