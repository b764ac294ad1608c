import { api } from '../../../src/api/api.ts'
import { type Sandbox, START } from '../../support/sandbox.ts'
import { isAccount } from './cards.ts'
import { discountedPrice } from './discounts.ts'
import { DAY } from './random-values.ts'
import type { Model } from './requests.ts'
import { checkoutOf, enteredOn, paymentOf } from './session-params.ts'
import type { Card, CheckoutOffer, Customer, Invoice, Session, StepOutcome, Subscription } from './state.ts'
import type { RandomOrder, Step } from './steps.ts'
import { trialOfferAt } from './steps-changes.ts'

/** A step in the implementation, and its transactions in the model. */
export interface StepPlan {
  readonly real: () => Promise<unknown>
  readonly parts: readonly (() => StepOutcome)[]
  /** Whether more transactions follow that are not compared one by one. */
  readonly hasMoreTransactions?: boolean
  /** Returns the results in the implementation and in the model, when they are compared. */
  readonly compared?: () => readonly [object | null, object | null]
}

/** The model, the sandbox, and the ids of model objects in the sandbox. */
export interface ModelContext {
  readonly model: Model
  /** The current sandbox, which is replaced at each restart. */
  sandbox: Sandbox
  readonly ids: Map<object, string>
  /** Ends the process, and starts another process after a downtime in seconds. */
  readonly restart: (downtime: number) => Promise<void>
}

export type StepOf<S extends Step['step']> = Extract<Step, { readonly step: S }>

/** The plans of some steps, by their names. */
export type Planners = {
  readonly [S in Step['step']]?: (context: ModelContext, step: StepOf<S>) => StepPlan
}

/** Returns whether a customer is not deleted. */
export const isAlive = ({ isDeleted }: Customer) => !isDeleted

/** Returns whether a subscription has not ended. */
export const isLive = ({ status }: Subscription) => status !== 'canceled'

/** Returns whether an invoice can be paid. */
export const isOwed = ({ status }: Invoice) => status === 'open' || status === 'uncollectible'

export const UNKNOWN_ID = 'unknown'

/** Returns the picked element, preferring elements that match `isFitting`. */
export function pickFrom<T>(
  list: readonly T[],
  pick: number,
  isFitting: (one: T) => boolean = () => true,
): T | null {
  const fitting = list.filter(isFitting)
  const from = fitting.length > 0 ? fitting : list
  return from[pick % Math.max(1, from.length)] ?? null
}

/** Returns the id of a model object in the sandbox. */
export function idOf({ ids }: ModelContext, one: object | null): string {
  return (one && ids.get(one)) ?? UNKNOWN_ID
}

/** Returns an attached card of a customer. */
export function cardOf({ model }: ModelContext, customer: Customer, pick: number): Card | null {
  return pickFrom(
    model.cards.filter((card) => card.customer === customer && card.isAttached),
    pick,
  )
}

/** The plan of a step without a target object. */
export const EMPTY_PLAN: StepPlan = { real: async () => {}, parts: [] }

/** Plans a request on an object; returns an empty plan for null. */
export function planRequest<T extends object>(
  context: ModelContext,
  thing: T | null,
  {
    real,
    model,
  }: { readonly real: (id: string) => Promise<unknown>; readonly model: (thing: T) => StepOutcome },
): StepPlan {
  if (thing === null) return EMPTY_PLAN
  return { real: () => real(idOf(context, thing)), parts: [() => model(thing)] }
}

/** Plans the creation of an object and stores its id. */
export function planObjectCreation(
  { ids }: ModelContext,
  made: () => object | undefined,
  {
    real,
    model,
  }: { readonly real: () => Promise<{ readonly id: string }>; readonly model: () => StepOutcome },
): StepPlan & { readonly id: () => string } {
  let id = UNKNOWN_ID
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

/** Plans of clocks and customers, and of the passing of time. */
export const TIME_PLANS = {
  wait: ({ sandbox }, { seconds }) => ({ real: () => sandbox.advance(seconds), parts: [] }),
  restart: ({ restart }, { seconds }) => ({ real: () => restart(seconds), parts: [] }),
  'create clock': (context, { offset }) => {
    const { model, sandbox } = context
    const now = START + offset
    return planObjectCreation(context, () => model.clocks.at(-1), {
      real: () => sandbox.call(api.testClocks.create, { frozen_time: now }),
      model: () => model.addClock(now),
    })
  },
  'create customer': (context, step) => {
    const { model, sandbox } = context
    const clock = step.clock === null ? model.wall : (pickFrom(model.clocks, step.clock) ?? model.wall)
    const test_clock = clock === model.wall ? {} : { test_clock: idOf(context, clock) }
    return planObjectCreation(context, () => model.customers.at(-1), {
      real: () => sandbox.call(api.customers.create, { email: 'ada@example.com', ...test_clock }),
      model: () => model.addCustomer(clock),
    })
  },
  'delete clock': (context, { pick }) => {
    const { model, sandbox } = context
    const plan = planRequest(context, pickFrom(model.clocks, pick), {
      real: (id) => sandbox.call(api.testClocks.delete, { id }),
      model: (clock) => model.deleteClock(clock),
    })
    // After the first transaction no object on the clock can change, so the later transactions need no comparison.
    return { ...plan, hasMoreTransactions: true }
  },
  advance: (context, { pick, seconds }) => {
    const { model, sandbox } = context
    const clock = pickFrom(model.clocks, pick, ({ state }) => state === 'ready')
    if (clock === null) return EMPTY_PLAN
    const target = clock.now + seconds
    const params = { id: idOf(context, clock), frozen_time: target }
    return {
      real: () => sandbox.call(api.testClocks.advance, params),
      parts: [() => model.beginAdvance(clock, target), () => model.endAdvance(clock, target)],
    }
  },
} satisfies Planners

const isOpen = ({ status }: Session) => status === 'open'
const completable = ({ sessions }: Model) => sessions.filter(({ isPortal }) => !isPortal)

/** Plans of sessions. */
export const SESSION_PLANS = {
  'create session': planCreation,
  buy: planPurchase,
  complete: (context, step) => {
    const { model, sandbox } = context
    const session = pickFrom(completable(model), step.pick, isOpen)
    const { complete } = operationsOf(session)
    return planRequest(context, session, {
      real: (id) =>
        sandbox.send(complete, { id, body: answeredWith(answerFor(step, session), session?.offer) }),
      model: (found) => model.complete(found, aliasFor(answerFor(step, found), found.offer), step.isApproved),
    })
  },
  submit: (context, { pick, alias }) => {
    const { model, sandbox } = context
    const session = pickFrom(completable(model), pick, isOpen)
    return planRequest(context, session, {
      real: (id) => sandbox.submit(id, enteredOn(session, alias)),
      model: (found) => model.submit(found, alias),
    })
  },
  'answer session': (context, { pick, isApproved }) => {
    const { model, sandbox } = context
    const session = pickFrom(completable(model), pick, (one) => isOpen(one) && one.waiting !== null)
    return planRequest(context, session, {
      real: (id) => sandbox.answer(id, isApproved),
      model: (found) => model.answerSession(found, isApproved),
    })
  },
  expire: (context, { pick }) => {
    const { model, sandbox } = context
    const session = pickFrom(model.sessions, pick, isOpen)
    const { expire } = session?.isPortal ? api.portalSessions : operationsOf(session)
    return planRequest(context, session, {
      real: (id) => sandbox.send(expire, { id }),
      model: (found) => model.expire(found),
    })
  },
} satisfies Planners

function operationsOf(session: Session | null) {
  if (session?.use) return api.cardSessions
  return session?.offer === null ? api.paymentSessions : api.checkoutSessions
}

/** The API of card sessions has no aliases of IBANs. */
function answerFor<A extends Answer>(answer: A, session: Session | null): A {
  return session?.use ? withCard(answer) : answer
}

/** Returns the input with a card instead of a bank account. */
export function withCard<A extends Answer>(answer: A): A {
  return isAccount(answer.alias) ? { ...answer, alias: 'visa' } : answer
}

interface Answer {
  readonly alias: string
  readonly isApproved: boolean
}

type OfferedTrial = { readonly trial: { readonly asksCard: boolean } | null } | null | undefined

/** Returns the card of a step; null for about half of the trials that require no card. */
function aliasFor({ alias, isApproved }: Answer, offer: OfferedTrial): string | null {
  return offer?.trial?.asksCard === false && !isApproved ? null : alias
}

/** Returns a test card, if one is given, and the decision on 3-D Secure. */
export function answeredWith(answer: Answer, offer: OfferedTrial = null) {
  const alias = aliasFor(answer, offer)
  const three_d_secure = answer.isApproved ? 'approve' : 'reject'
  return alias === null ? {} : { test_card: alias, three_d_secure }
}

function planCreation(
  context: ModelContext,
  step: StepOf<'create session'>,
): StepPlan & { readonly id: () => string } {
  const { model, sandbox } = context
  const customer = pickFrom(model.customers, step.pick, isAlive)
  if (customer === null) throw new Error('there is no customer')
  const { now } = customer.clock
  const id = idOf(context, customer)
  const offer = step.order === null ? null : offerOf(context, step.order, now)
  const amount = offer === null ? step.amount : discountedPrice(offer.items, offer.coupon)
  const findId = (one: object | null = null) => one && idOf(context, one)
  const owner = { customer: id, coupon: findId(offer?.coupon), code: findId(offer?.code) }
  const expires_at = step.lifetime === null ? {} : { expires_at: now + step.lifetime }
  return planObjectCreation(context, () => model.sessions.at(-1), {
    real: () =>
      step.order === null
        ? sandbox.call(api.paymentSessions.create, { ...paymentOf(id, amount, step), ...expires_at })
        : sandbox.call(api.checkoutSessions.create, { ...checkoutOf(step.order, owner, now), ...expires_at }),
    model: () =>
      model.openSession(customer, {
        ...{ offer, amount, saves: step.saves, lifetime: step.lifetime ?? DAY },
        isHold: offer === null && step.isHold,
      }),
  })
}

/** Plans the creation and immediate completion of a session. */
function planPurchase(context: ModelContext, { pick, order, alias, isApproved }: StepOf<'buy'>): StepPlan {
  const { model, sandbox } = context
  const none = { amount: 0, saves: false, isHold: false, lifetime: null }
  const creation = { step: 'create session', pick, order, ...none } as const
  const created = planCreation(context, creation)
  return {
    real: async () => {
      await created.real()
      const body = answeredWith({ alias, isApproved }, order)
      await sandbox.send(api.checkoutSessions.complete, { id: created.id(), body })
    },
    parts: [
      ...created.parts,
      () => {
        const session = model.sessions.find((one) => idOf(context, one) === created.id())
        if (session === undefined) throw new Error('no session was created')
        return model.complete(session, aliasFor({ alias, isApproved }, order), isApproved)
      },
    ],
  }
}

function offerOf({ model }: ModelContext, order: RandomOrder, now: number): CheckoutOffer {
  const { interval, count, start, trial, coupon, code, ...rest } = order
  const entered = code === null ? null : pickFrom(model.promotionCodes, code)
  return {
    ...rest,
    coupon: entered?.coupon ?? (coupon === null ? null : pickFrom(model.coupons, coupon)),
    code: entered,
    rhythm: { interval, count },
    start: start === null ? null : now + start,
    trial: trialOfferAt(trial, now),
  }
}
