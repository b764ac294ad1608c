import { waitUnlessAborted } from '../../client/timing.ts'
import {
  APP_STATE_FIELDS,
  type AppResponse,
  type AppStateField,
  createUnclearResponseError,
  readAppStateField,
} from './app-state.ts'
import { type CustomerScenario, readExpectedState, type ScenarioCustomer } from './customer-scenario.ts'
import type { GradeConfig } from './grade-config.ts'

/** A step of a customer, with the usual cause of a wrong state after the step, and the fix. */
export type ScenarioStepCause = readonly [text: string, cause: string, fix: string]

type Value = number | boolean | null

/** A check of a customer, and the earlier states of the app. */
export interface CustomerCheck {
  readonly field: AppStateField
  readonly customer: ScenarioCustomer
  readonly timeline: string[]
  /** Whether the app ever gave access or counted money. */
  hasReacted: boolean
  /** The value of the last response; null if it is unclear, such as an error. */
  value: Value
  /** The response of the last check, or null if the app did not respond. */
  response: AppResponse | null
  /** The last correct value. */
  right: Value
  /** The first wrong or unclear response, or null. */
  wrong: { readonly step: ScenarioStepCause; readonly expected: Value; readonly actual: Value } | null
}

function isRight({ value }: CustomerCheck, expected: Value): boolean {
  return value !== null && (expected === null || value === expected)
}

/** Compares a response with the expected state; stores the first wrong response. Returns true for a counted check. */
function judgeResponse(
  one: CustomerCheck,
  expected: Value,
  day: string,
  step: ScenarioStepCause | undefined,
): boolean {
  const isResponseRight = isRight(one, expected)
  if (one.wrong !== null || (step === undefined && isResponseRight)) return false
  const [text] = step ?? NOTHING
  const { field, value } = one
  const comparison = isResponseRight ? '' : `, expected ${expected ?? 'any'}`
  one.timeline.push(`${day} ${text}: ${field} ${value ?? 'unclear'}${comparison}`)
  if (isResponseRight) one.right = value
  else one.wrong = { step: step ?? NOTHING, expected, actual: value }
  return true
}

/** The longest wait for the app's background work, and the shortest wait after a response that stayed wrong. */
const MAX_PATIENCE_MS = 5000
const MIN_PATIENCE_MS = 1000
const MAX_CONCURRENT = 4
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 400
/** The step of a customer without a change. */
const NOTHING: ScenarioStepCause = [
  'nothing happened to this customer',
  'The state changes without an event of this customer.',
  'Change only the customer in data.object.customer of an event.',
]

/** Creates the checks of a scenario, which compare the responses of the app with the expected state after each step. */
export function createStateChecks(scenario: CustomerScenario, config: GradeConfig) {
  const { run } = scenario
  const fields = APP_STATE_FIELDS.filter((name) => config[name] !== undefined)
  const customerChecks: CustomerCheck[] = []
  const counts = { access: 0, paid: 0 }
  /** The fields with a clear response of the app. */
  const understood = new Set<AppStateField>()
  /** The fields for which the app does not respond in time. */
  const silent = new Set<AppStateField>()
  let patienceMs = MAX_PATIENCE_MS
  let slowestMs = 0

  async function updateCheck(one: CustomerCheck): Promise<void> {
    const { field, customer } = one
    const placeholders = { ...customer, now: scenario.now() }
    const { response, value } = await readAppStateField(run, field, config, placeholders)
    one.response = response
    one.value = value
    if (value !== null) understood.add(field)
    if (value) one.hasReacted = true
  }

  // If the app always reached the expected state quickly, later steps need no longer wait.
  function shortenPatience(): void {
    patienceMs = Math.min(MAX_PATIENCE_MS, Math.max(MIN_PATIENCE_MS, 2 * slowestMs, patienceMs / 2))
  }

  /** Reads the state until every response is correct or was wrong before, or until the time limit. */
  async function readUntilSettled(isSettled: (one: CustomerCheck) => boolean): Promise<void> {
    const startedMs = run.nowMs()
    const waitedMs = () => run.nowMs() - startedMs
    let open = customerChecks.filter(({ wrong, field }) => wrong?.actual !== null && !silent.has(field))
    for (const one of customerChecks) if (open.includes(one)) one.response = null
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      // Send requests in batches, because simple servers accept only a few connections at the same time.
      for (let first = 0; first < open.length; first += MAX_CONCURRENT) {
        const batch = open.slice(first, first + MAX_CONCURRENT)
        await Promise.all(batch.map(updateCheck))
        const unclear = batch.filter(({ value }) => value === null)
        if (waitedMs() < MAX_PATIENCE_MS || unclear.length === 0) continue
        // A first read that reaches the time limit shows that the app does not respond.
        if (pauseMs === FIRST_PAUSE_MS) for (const { field } of unclear) silent.add(field)
        return
      }
      if (open.some(isSettled)) slowestMs = Math.max(slowestMs, waitedMs())
      open = open.filter((one) => !isSettled(one) && one.wrong === null)
      if (open.length === 0 || run.app.hasCrashed()) return
      if (waitedMs() >= patienceMs) return shortenPatience()
      await waitUnlessAborted(pauseMs, run.signal)
    }
  }

  /** Waits until the app has received every delivery, and compares its state. `steps` are the new steps by role. */
  async function check(steps: Readonly<Record<string, ScenarioStepCause>>): Promise<void> {
    for (const customer of scenario.customers.slice(customerChecks.length / Math.max(1, fields.length)))
      for (const field of fields)
        customerChecks.push({
          ...{ field, customer, timeline: [], hasReacted: false },
          ...{ value: null, response: null, right: null, wrong: null },
        })
    await run.quiescence.waitUntilQuiet()
    const expected = await readExpectedState(run)
    const expect = ({ field, customer }: CustomerCheck) => expected[field](customer.id)
    await readUntilSettled((one) => isRight(one, expect(one)))
    // A crash of the app is a separate finding, so skip the comparison.
    if (run.app.hasCrashed()) return
    const day = `day ${Math.floor((scenario.now() - scenario.startedAt) / 86_400)}`.padEnd(7)
    for (const one of customerChecks) {
      if (one.response === null) continue
      if (!understood.has(one.field)) throw createUnclearResponseError(one.field, one.response)
      if (judgeResponse(one, expect(one), day, steps[one.customer.role])) counts[one.field] += 1
    }
  }

  return {
    check,
    /** The number of comparisons by field. */
    counts,
    customerChecks: customerChecks as readonly CustomerCheck[],
  }
}
