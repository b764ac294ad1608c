import { ERRORS } from '../../../src/api/schema/errors.ts'
import { DomainError } from '../../../src/domain/domain-error.ts'
import { grouped, type Snapshot } from '../../../src/engine/invariants/snapshot.ts'
import { createMemoryStore } from '../../../src/store/memory/memory.ts'
import { createSandbox, type Sandbox, START } from '../../support/sandbox.ts'
import { whole } from '../retelling.ts'
import { modelBooks } from './books.ts'
import { type Both, idOf, NOBODY, type Plan, planSession, planTime } from './plans.ts'
import { planAccount, planInvoice } from './plans-billing.ts'
import { realBooks } from './real-books.ts'
import { Model } from './requests.ts'
import type { Clock, Outcome, Policy } from './state.ts'
import type { AtOnce, Step } from './steps.ts'
import { clockOfQueue, type Seen, Witness } from './witness.ts'

const CARD_ERROR = 'card_error'

/** The model and the real thing, side by side. */
export class Twin {
  readonly sandbox: Sandbox
  readonly #model: Model
  readonly #both: Both
  readonly #witness = new Witness(createMemoryStore())

  constructor(policy: Policy) {
    this.sandbox = createSandbox({ dunning: policy, store: this.#witness.store })
    this.#model = new Model(policy, START)
    this.#both = { model: this.#model, sandbox: this.sandbox, ids: new Map() }
  }

  /**
   * Begins steps at the same moment for real, then does the same in the model in the order in which the store did it;
   * fails where they come to something else.
   */
  async perform({ steps, lags }: AtOnce): Promise<void> {
    const plans = steps.map((step) => new Progress(planOf(this.#both, step)))
    this.#witness.holdUp(lags)
    const found = await Promise.all(
      plans.map(({ plan }, by) => this.#witness.as(by, () => outcomeOf(plan.real()))),
    )
    await this.sandbox.advance(0)
    this.#follow(this.#witness.taken(), plans)
    for (const [at, plan] of plans.entries()) isExpected(found[at], plan.outcome)
    this.#compare(await whole(this.sandbox))
  }

  #follow(seen: readonly Seen[], plans: readonly Progress[]): void {
    const { wall } = this.#model
    wall.now = this.sandbox.now()
    for (const what of seen) {
      if (what.kind === 'due') this.#doDue(this.#clockOf(what.queue))
      else plans[what.by]?.next()
    }
    for (const plan of plans) plan.end()
    if (this.#model.isDue(wall, wall.now)) throw new Error('something is due by now that was not done')
  }

  #clockOf(queue: string): Clock {
    const id = clockOfQueue(queue)
    const clock =
      id === null ? this.#model.wall : this.#model.clocks.find((one) => idOf(this.#both, one) === id)
    if (clock === undefined) throw new Error(`the model has no clock for ${queue}`)
    return clock
  }

  #doDue(clock: Clock): void {
    const { now } = clock
    const until = clock === this.#model.wall ? now : Number.POSITIVE_INFINITY
    if (!this.#model.doNext(clock, until))
      throw new Error('something was done of which the model knows nothing')
    if (clock === this.#model.wall) clock.now = now
  }

  #compare(snapshot: Snapshot): void {
    this.#learn(snapshot)
    const { customers, cards, sessions, subscriptions, refunds } = this.#model
    const idsOf = (list: readonly object[]) => list.map((one) => idOf(this.#both, one))
    const found = realBooks(snapshot, {
      customers: idsOf(customers),
      cards: idsOf(cards),
      sessions: idsOf(sessions),
      subscriptions: idsOf(subscriptions),
      refunds: idsOf(refunds),
    })
    for (const [kind, entries] of Object.entries(modelBooks(this.#model))) {
      isSame(`the number of ${kind}`, found[kind]?.length, entries.length)
      for (const [at, entry] of entries.entries()) isSame(`${kind}[${at}]`, found[kind]?.[at], entry)
    }
  }

  /** The ids of what came by itself, or of a session, in the order in which it came. */
  #learn({ records }: Snapshot): void {
    const { ids } = this.#both
    const made = new Map(records.checkout_sessions.map((session) => [session.id, session]))
    for (const session of this.#model.sessions) {
      const real = made.get(idOf(this.#both, session))
      if (session.subscription) ids.set(session.subscription, real?.subscription ?? NOBODY)
      if (session.card) ids.set(session.card, real?.payment_method ?? NOBODY)
      const tried = records.payments.filter(({ checkout_session, payment_session }) =>
        [checkout_session, payment_session].includes(idOf(this.#both, session)),
      )
      for (const [at, payment] of session.payments.entries()) ids.set(payment, tried[at]?.id ?? NOBODY)
    }
    const invoicesOf = grouped(records.invoices, ({ subscription }) => subscription)
    const paymentsOf = grouped(records.payments, ({ invoice }) => invoice)
    for (const subscription of this.#model.subscriptions) {
      for (const [at, invoice] of subscription.invoices.entries()) {
        const id = invoicesOf.get(idOf(this.#both, subscription))?.[at]?.id ?? NOBODY
        ids.set(invoice, id)
        for (const [nth, payment] of invoice.payments.entries()) {
          ids.set(payment, paymentsOf.get(id)?.[nth]?.id ?? NOBODY)
        }
      }
    }
  }
}

/** How far the model is with one step. */
class Progress {
  readonly plan: Plan
  outcome: Outcome = 'ok'
  #done = 0

  constructor(plan: Plan) {
    this.plan = plan
  }

  /** One more of its transactions was done. */
  next(): void {
    const { parts, goesOn = false } = this.plan
    if (goesOn && this.outcome === 'ok' && this.#done === parts.length) return
    const part = parts[this.#done]
    if (part === undefined || this.outcome !== 'ok') throw new Error('more was done than the model expects')
    this.#done += 1
    this.outcome = part()
  }

  /** All its transactions were done; what is refused at once needs none. */
  end(): void {
    if (this.#done === 0 && this.plan.parts.length > 0) this.next()
    if (this.outcome === 'ok' && this.#done < this.plan.parts.length)
      throw new Error('less was done than the model expects')
  }
}

function planOf(both: Both, step: Step): Plan {
  switch (step.step) {
    case 'create clock':
    case 'create customer':
    case 'wait':
    case 'advance':
    case 'delete clock':
      return planTime(both, step)
    case 'create session':
    case 'buy':
    case 'complete':
    case 'submit':
    case 'answer session':
    case 'expire':
      return planSession(both, step)
    case 'choose':
    case 'delete customer':
    case 'detach':
    case 'update':
    case 'cancel':
    case 'refund':
      return planAccount(both, step)
    default:
      return planInvoice(both, step)
  }
}

async function outcomeOf(real: Promise<unknown>): Promise<Outcome> {
  try {
    await real
    return 'ok'
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === 'test_clock_advancing') return 'busy'
    return ERRORS[error.code]?.[1] === CARD_ERROR ? { declined: error.code } : 'refused'
  }
}

/** What could not be done on any clock may be refused for that, too. */
function isExpected(found: Outcome | undefined, expected: Outcome): void {
  if (expected !== 'busy' || found !== 'refused') isSame('the outcome', found, expected)
}

function isSame(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${what} is\n${a}, but the model says\n${b}`)
}
