import { api } from '../../../src/api/index.ts'
import { TEST_CARDS } from '../../../src/domain/test-cards.ts'
import { type Sandbox, START, typed } from '../../support/sandbox.ts'
import type { Model } from './requests.ts'
import { priceOf } from './sessions.ts'
import type { Card, Clock, Customer, Offer, Outcome, Session } from './state.ts'
import type { Order, Step } from './steps.ts'

/** How to do a step for real, and what the model says to each of its transactions, once they are done. */
export interface Plan {
  readonly real: () => Promise<unknown>
  readonly parts: readonly (() => Outcome)[]
  /** Whether more transactions follow, of which only the end of all of them is compared. */
  readonly goesOn?: boolean
}

/** The model, the real thing, and under which ids the one's objects are stored in the other. */
export interface Both {
  readonly model: Model
  readonly sandbox: Sandbox
  readonly ids: Map<object, string>
}

export type StepOf<S extends Step['step']> = Extract<Step, { readonly step: S }>

export const NOBODY = 'nobody'

/** The one a pick means, of the fitting ones where there are any. */
export function among<T>(
  list: readonly T[],
  pick: number,
  isFitting: (one: T) => boolean = () => true,
): T | null {
  const fitting = list.filter(isFitting)
  const from = fitting.length > 0 ? fitting : list
  return from[pick % Math.max(1, from.length)] ?? null
}

/** The real id of what the model knows. */
export function idOf({ ids }: Both, one: object | null): string {
  return (one && ids.get(one)) ?? NOBODY
}

/** A card of a customer that can still be named. */
export function cardOf({ model }: Both, customer: Customer, pick: number): Card | null {
  return among(
    model.cards.filter((card) => card.customer === customer && card.isAttached),
    pick,
  )
}

/** A step where there is nothing to do it to. */
export const NOTHING: Plan = { real: async () => {}, parts: [] }

/** A step of one request about one thing; nothing where there is no such thing. */
export function one<T extends object>(
  both: Both,
  thing: T | null,
  { real, model }: { readonly real: (id: string) => Promise<unknown>; readonly model: (thing: T) => Outcome },
): Plan {
  if (thing === null) return NOTHING
  return { real: () => real(idOf(both, thing)), parts: [() => model(thing)] }
}

/** A step that makes something: what the model made is known from then on by the id it really got. */
export function making(
  { ids }: Both,
  made: () => object | undefined,
  { real, model }: { readonly real: () => Promise<{ readonly id: string }>; readonly model: () => Outcome },
): Plan & { readonly id: () => string } {
  let id = NOBODY
  return {
    id: () => id,
    real: async () => {
      id = (await real()).id
    },
    parts: [
      () => {
        const outcome = model()
        const what = made()
        if (outcome === 'ok' && what !== undefined) ids.set(what, id)
        return outcome
      },
    ],
  }
}

/** What is planned for the passing of time and for those who live in it. */
export function planTime(
  both: Both,
  step: StepOf<'create clock' | 'create customer' | 'wait' | 'advance' | 'delete clock'>,
): Plan {
  const { model, sandbox } = both
  switch (step.step) {
    case 'wait':
      return { real: () => sandbox.advance(step.seconds), parts: [] }
    case 'create clock': {
      const now = START + step.offset
      return making(both, () => model.clocks.at(-1), {
        real: () => sandbox.call(api.testClocks.create, { frozen_time: now }),
        model: () => model.addClock(now),
      })
    }
    case 'create customer': {
      const clock = step.clock === null ? model.wall : (among(model.clocks, step.clock) ?? model.wall)
      const test_clock = clock === model.wall ? {} : { test_clock: idOf(both, clock) }
      return making(both, () => model.customers.at(-1), {
        real: () => sandbox.call(api.customers.create, { email: 'ada@example.com', ...test_clock }),
        model: () => model.addCustomer(clock),
      })
    }
    case 'delete clock':
      return {
        ...one(both, among(model.clocks, step.pick), {
          real: (id) => sandbox.call(api.testClocks.delete, { id }),
          model: (clock) => model.deleteClock(clock),
        }),
        // From the first on nobody changes anything on the clock, so it is all the same when what is on it goes.
        goesOn: true,
      }
    case 'advance':
      return planAdvance(both, among(model.clocks, step.pick, isReady), step.seconds)
  }
}

const isReady = ({ state }: Clock) => state === 'ready'

function planAdvance(both: Both, clock: Clock | null, seconds: number): Plan {
  if (clock === null) return NOTHING
  const { model, sandbox } = both
  const target = clock.now + seconds
  return {
    real: () => sandbox.call(api.testClocks.advance, { id: idOf(both, clock), frozen_time: target }),
    parts: [() => model.beginAdvance(clock, target), () => model.endAdvance(clock, target)],
  }
}

/** What is planned for sessions and those who complete them. */
export function planSession(
  both: Both,
  step: StepOf<'create session' | 'buy' | 'complete' | 'submit' | 'answer session' | 'expire'>,
): Plan {
  const { model, sandbox } = both
  if (step.step === 'create session') return planCreation(both, step)
  if (step.step === 'buy') return planPurchase(both, step)
  const session = among(
    model.sessions,
    step.pick,
    ({ status, waiting }) => status === 'open' && (step.step !== 'answer session' || waiting !== null),
  )
  const kind = session?.offer === null ? api.paymentSessions : api.checkoutSessions
  switch (step.step) {
    case 'complete':
      return one(both, session, {
        real: (id) => sandbox.send(kind.complete, { id, body: answeredWith(step) }),
        model: (found) => model.complete(found, step.alias, step.isApproved),
      })
    case 'submit':
      return one(both, session, {
        real: (id) => sandbox.submit(id, enteredOn(session, step.alias)),
        model: (found) => model.submit(found, step.alias),
      })
    case 'answer session':
      return one(both, session, {
        real: (id) => sandbox.answer(id, step.isApproved),
        model: (found) => model.answerSession(found, step.isApproved),
      })
    case 'expire':
      return one(both, session, {
        real: (id) => sandbox.send(kind.expire, { id }),
        model: (found) => model.expire(found),
      })
  }
}

/** A card as its buyer types it, which expires with the next year. */
function enteredOn(session: Session | null, alias: string) {
  const number = TEST_CARDS.find((card) => card.alias === alias)?.number ?? ''
  const year = new Date((session?.customer.clock.now ?? 0) * 1000).getUTCFullYear()
  return typed(number, { exp_year: String(year + 1) })
}

function answeredWith({ alias, isApproved }: { readonly alias: string; readonly isApproved: boolean }) {
  return { test_card: alias, three_d_secure: isApproved ? 'approve' : 'reject' }
}

const isAlive = ({ isDeleted }: Customer) => !isDeleted

function planCreation(both: Both, step: StepOf<'create session'>): Plan & { readonly id: () => string } {
  const { model, sandbox } = both
  const customer = among(model.customers, step.pick, isAlive)
  if (customer === null) throw new Error('there is no customer')
  const { now } = customer.clock
  const id = idOf(both, customer)
  const offer = step.order === null ? null : offerOf(step.order, now)
  const amount = offer === null ? step.amount : priceOf(offer)
  const expires_at = step.lifetime === null ? {} : { expires_at: now + step.lifetime }
  return making(both, () => model.sessions.at(-1), {
    real: () =>
      step.order === null
        ? sandbox.call(api.paymentSessions.create, { ...paymentOf(id, amount), ...expires_at })
        : sandbox.call(api.checkoutSessions.create, { ...checkoutOf(step.order, id, now), ...expires_at }),
    model: () => model.openSession(customer, { offer, amount, lifetime: step.lifetime ?? DAY }),
  })
}

const DAY = 86_400

/** A session that is made and completed at once. */
function planPurchase(both: Both, { pick, order, alias, isApproved }: StepOf<'buy'>): Plan {
  const { model, sandbox } = both
  const created = planCreation(both, { step: 'create session', pick, order, amount: 0, lifetime: null })
  return {
    real: async () => {
      await created.real()
      const body = answeredWith({ alias, isApproved })
      await sandbox.send(api.checkoutSessions.complete, { id: created.id(), body })
    },
    parts: [
      ...created.parts,
      () => {
        const session = model.sessions.find((one) => idOf(both, one) === created.id())
        if (session === undefined) throw new Error('no session was made')
        return model.complete(session, alias, isApproved)
      },
    ],
  }
}

function offerOf({ interval, count, start, items, daysUntilDue }: Order, now: number): Offer {
  return { rhythm: { interval, count }, start: start === null ? null : now + start, items, daysUntilDue }
}

function paymentOf(customer: string, amount: number) {
  const return_url = 'https://example.com/return'
  return { customer, amount, currency: 'eur', payment_method_types: ['card'], return_url } as const
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
