import type { RunOptions, RunRecord, ScenarioRunner } from '../../../src/cli/explore/model/run-record.ts'
import type { ExplorationFault, FaultSchedule } from '../../../src/cli/explore/model/schedule.ts'
import { deliveryWith, recordWith, requestWith, SUCCEEDED_PAYMENT } from './sample-runs.ts'

/** The bugs of a simulated shop; a shop without bugs handles every fault. */
export interface ShopBugs {
  /** Counts an event again when it is delivered again. */
  readonly repeatsDuplicates?: boolean
  /** Charges again when a response is lost. */
  readonly repeatsCharges?: boolean
  /** Loses the order when a duplicate arrives after a lost response, but not after either fault alone. */
  readonly losesOrderOnPair?: boolean
  /** Ends differently in every n-th run, with or without faults. */
  readonly isFlakyEvery?: number
  /** Ends differently only in the first run with a duplicate. */
  readonly isRacy?: boolean
  /** Ends differently in every n-th run with a duplicate. */
  readonly racesEvery?: number
  /** Ends differently after several duplicates, and in the first run with a single duplicate. */
  readonly isRacyAlone?: boolean
  /** The scenario of the shop fails when a delivery is held back. */
  readonly abortsOnHold?: boolean
  /** The shop cannot be started again after this many runs. */
  readonly startsTimes?: number
  /** Keeps its orders in memory only. */
  readonly isVolatile?: boolean
  /** Has a counter of received webhooks, and ids and times that differ from run to run. */
  readonly isChatty?: boolean
}

export interface SimulatedShop extends ScenarioRunner {
  readonly schedules: FaultSchedule[]
  readonly nowMs: () => number
}

const RUN_MS = 1000
const EVENTS = ['payment_session.created', 'payment.succeeded', 'payment_session.completed']
const REQUESTS = ['customers.create', 'payments.create']

/** Simulates a shop with one purchase, and the time that its runs take. */
export function createShop(bugs: ShopBugs = {}): SimulatedShop {
  const schedules: FaultSchedule[] = []
  let now = 0
  let duplicates = 0
  let singles = 0
  async function run(schedule: FaultSchedule, { restartAtEnd = false }: RunOptions = {}): Promise<RunRecord> {
    schedules.push(schedule)
    if (schedules.length > (bugs.startsTimes ?? Infinity)) throw new Error('The app did not start.')
    now += RUN_MS
    const has = (name: ExplorationFault, place = '') =>
      schedule.some(({ fault, at }) => fault === name && JSON.stringify(at).includes(place))
    const isDuplicate = has('duplicate', 'payment_session.completed')
    if (isDuplicate) duplicates += 1
    if (isDuplicate && schedule.length === 1) singles += 1
    const isFlaky = bugs.isFlakyEvery !== undefined && schedules.length % bugs.isFlakyEvery === 0
    const isRace =
      (bugs.isRacy && duplicates === 1) ||
      duplicates % (bugs.racesEvery ?? Infinity) === 0 ||
      (bugs.isRacyAlone && (schedule.length > 1 || singles === 1))
    const isRepeated = isDuplicate && (bugs.repeatsDuplicates || isRace)
    const isLost =
      isFlaky ||
      (restartAtEnd && bugs.isVolatile === true) ||
      (bugs.losesOrderOnPair === true && isDuplicate && has('drop_response', 'payments.create'))
    const orders = isLost ? 0 : isRepeated ? 2 : 1
    const payments = bugs.repeatsCharges && has('drop_response', 'payments.create') ? 2 : 1
    return recordWith({
      schedule,
      requests: REQUESTS.map((operation) => requestWith({ operation })),
      deliveries: EVENTS.map((type) => deliveryWith({ type, event: `evt_${type}` })),
      applied: schedule.filter(({ fault }) => fault !== 'early'),
      outcome: {
        observation: observe(orders, bugs.isChatty === true ? schedules.length : 0),
        ...(bugs.abortsOnHold === true && has('hold')
          ? { scenarioError: 'no webhook arrived', scenarioFailure: 'undelivered' as const }
          : {}),
        objects: { payments: Array.from({ length: payments }, () => SUCCEEDED_PAYMENT) },
      },
    })
  }
  return { run, schedules, nowMs: () => now, close: async () => {} }
}

/** Returns a shop whose runs after `timeMs` end only when they are aborted, because the time of a shop passes at once. */
export function limitTime(shop: SimulatedShop, timeMs: number): SimulatedShop {
  async function run(...[schedule, options = {}]: Parameters<ScenarioRunner['run']>): Promise<RunRecord> {
    const record = await shop.run(schedule, options)
    if (shop.nowMs() <= timeMs) return record
    await new Promise((resolve) => options.signal?.addEventListener('abort', resolve))
    throw options.signal?.reason
  }
  return { ...shop, run }
}

function observe(count: number, run: number): string {
  const orders = Array.from({ length: count }, (_, index) => ({
    id: `py_sess_4bT9x${run}Q${index}21ab`,
    ...{ amount: 2000, paid_at: 1_795_000_000 + run, status: 'paid' },
  }))
  return JSON.stringify({ orders, webhooks_received: run, took: run % 7 })
}
