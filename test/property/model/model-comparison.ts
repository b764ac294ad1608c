import { ERROR_DEFINITIONS } from '../../../src/api/schema/errors.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { resumeInterruptedClocks } from '../../../src/engine/clocks.ts'
import type { Snapshot } from '../../../src/engine/invariants/snapshot.ts'
import { createSandbox, type Sandbox, START } from '../../support/sandbox.ts'
import { createTestStore } from '../../support/test-store.ts'
import { readSnapshot } from '../normalized-snapshot.ts'
import { summarizeModel } from './model-summary.ts'
import { storeIds } from './object-ids.ts'
import { idOf, type ModelContext, type Planners, SESSION_PLANS, type StepPlan, TIME_PLANS } from './plans.ts'
import { ACCOUNT_PLANS, INVOICE_PLANS } from './plans-billing.ts'
import { CARD_PLANS } from './plans-cards.ts'
import { CHANGE_PLANS } from './plans-changes.ts'
import { DISPUTE_PLANS } from './plans-disputes.ts'
import { Model } from './requests.ts'
import { summarizeSnapshot } from './snapshot-summary.ts'
import type { Clock, DunningPolicy, StepOutcome } from './state.ts'
import type { ConcurrentSteps } from './steps.ts'
import { clockOfQueue, type RecordedTransaction, TransactionRecorder } from './transaction-recorder.ts'

const CARD_ERROR = 'card_error'

/** More ids than any script uses, so that a later process generates other ids. */
const IDS_PER_PROCESS = 1_000_000

/** Runs steps in the model and in the implementation, and compares them. */
export class ModelComparison {
  readonly #policy: DunningPolicy
  readonly #model: Model
  readonly #context: ModelContext
  readonly #recorder = new TransactionRecorder(createTestStore())
  #processes = 0

  constructor(policy: DunningPolicy) {
    this.#policy = policy
    this.#model = new Model(policy, START)
    const restart = (downtime: number) => this.#restart(downtime)
    this.#context = { model: this.#model, sandbox: this.#startProcess(START), ids: new Map(), restart }
  }

  /** The sandbox of the running process. */
  get sandbox(): Sandbox {
    return this.#context.sandbox
  }

  #startProcess(now: number): Sandbox {
    const idsFrom = this.#processes * IDS_PER_PROCESS
    this.#processes += 1
    const sandbox = createSandbox({ dunning: this.#policy, store: this.#recorder.store, idsFrom })
    sandbox.setClock(now)
    return sandbox
  }

  async #restart(downtime: number): Promise<void> {
    const { store, now } = this.sandbox
    await store.close()
    this.#context.sandbox = this.#startProcess(now() + downtime)
    await resumeInterruptedClocks(this.sandbox.runtime)
  }

  /**
   * Runs steps concurrently in the sandbox, then in the model in the order of the store's transactions. Throws if the
   * results differ.
   */
  async perform({ steps, lags }: ConcurrentSteps): Promise<void> {
    const plans = steps.map((step) => new StepProgress(PLANS[step.step](this.#context, step as never)))
    this.#recorder.setDelays(lags)
    const found = await Promise.all(
      plans.map(({ plan }, by) => this.#recorder.runAs(by, () => outcomeOf(plan.real()))),
    )
    await this.sandbox.advance(0)
    this.#replay(this.#recorder.takeTransactions(), plans)
    for (const [at, plan] of plans.entries()) {
      assertOutcome(`the outcome of ${JSON.stringify(steps[at])}`, found[at], plan.outcome)
      const [real, model] = plan.plan.compared?.() ?? [null, null]
      if (plan.outcome === 'ok') assertSame('the result', real, model)
    }
    this.#compare(await readSnapshot(this.sandbox))
  }

  #replay(seen: readonly RecordedTransaction[], plans: readonly StepProgress[]): void {
    const { wall } = this.#model
    wall.now = this.sandbox.now()
    for (const what of seen) {
      if (what.kind === 'due') this.#runDueJob(this.#clockOf(what.queue))
      else plans[what.by]?.next()
    }
    for (const plan of plans) plan.end()
    if (this.#model.isDue(wall, wall.now)) throw new Error('a due job was not run')
  }

  #clockOf(queue: string): Clock {
    const id = clockOfQueue(queue)
    const clock =
      id === null ? this.#model.wall : this.#model.clocks.find((one) => idOf(this.#context, one) === id)
    if (clock === undefined) throw new Error(`the model has no clock for ${queue}`)
    return clock
  }

  #runDueJob(clock: Clock): void {
    const { now } = clock
    const until = clock === this.#model.wall ? now : Number.POSITIVE_INFINITY
    if (!this.#model.doNext(clock, until)) throw new Error('a job ran that is not due in the model')
    if (clock === this.#model.wall) clock.now = now
  }

  #compare(snapshot: Snapshot): void {
    storeIds(this.#context, snapshot)
    const { customers, cards, sessions, subscriptions, refunds, disputes, invoiceItems } = this.#model
    const { coupons, promotionCodes } = this.#model
    const idsOf = (list: readonly object[]) => list.map((one) => idOf(this.#context, one))
    const found = summarizeSnapshot(snapshot, {
      customers: idsOf(customers),
      cards: idsOf(cards),
      sessions: idsOf(sessions),
      subscriptions: idsOf(subscriptions),
      refunds: idsOf(refunds),
      disputes: idsOf(disputes),
      invoiceItems: idsOf(invoiceItems),
      coupons: idsOf(coupons),
      promotionCodes: idsOf(promotionCodes),
    })
    for (const [kind, entries] of Object.entries(summarizeModel(this.#model))) {
      assertSame(`the number of ${kind}`, found[kind]?.length, entries.length)
      for (const [at, entry] of entries.entries()) assertSame(`${kind}[${at}]`, found[kind]?.[at], entry)
    }
  }
}

/** The progress of one step in the model. */
class StepProgress {
  readonly plan: StepPlan
  outcome: StepOutcome = 'ok'
  #done = 0

  constructor(plan: StepPlan) {
    this.plan = plan
  }

  /** Applies the next transaction of the step. */
  next(): void {
    const { parts, hasMoreTransactions = false } = this.plan
    if (hasMoreTransactions && this.outcome === 'ok' && this.#done === parts.length) return
    const part = parts[this.#done]
    if (part === undefined || this.outcome !== 'ok')
      throw new Error('the step has more transactions than in the model')
    this.#done += 1
    this.outcome = part()
  }

  /** Ends the step. A step that is rejected immediately has no transaction. */
  end(): void {
    if (this.#done === 0 && this.plan.parts.length > 0) this.next()
    if (this.outcome === 'ok' && this.#done < this.plan.parts.length)
      throw new Error('the step has fewer transactions than in the model')
  }
}

const PLANS: Required<Planners> = {
  ...TIME_PLANS,
  ...SESSION_PLANS,
  ...ACCOUNT_PLANS,
  ...INVOICE_PLANS,
  ...CHANGE_PLANS,
  ...CARD_PLANS,
  ...DISPUTE_PLANS,
}

async function outcomeOf(real: Promise<unknown>): Promise<StepOutcome> {
  try {
    await real
    return 'ok'
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === 'test_clock_advancing') return 'busy'
    return ERROR_DEFINITIONS[error.code]?.[1] === CARD_ERROR ? { declined: error.code } : 'refused'
  }
}

/** Compares outcomes. If the model expects `busy`, `refused` is accepted too. */
function assertOutcome(what: string, found: StepOutcome | undefined, expected: StepOutcome): void {
  if (expected !== 'busy' || found !== 'refused') assertSame(what, found, expected)
}

function assertSame(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${what} is\n${a}, but the model says\n${b}`)
}
