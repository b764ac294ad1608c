import type { GradeFinding } from '../../presentation/grade-report.ts'
import { formatCountWithNoun } from '../../presentation/words.ts'
import { type AppStateField, describeAppResponse } from './app-state.ts'
import type { SaleType } from './customer-scenario.ts'
import type { GradeConfig } from './grade-config.ts'
import type { ClassResult, GradeClass } from './grade-result.ts'
import type { CustomerCheck, createStateChecks } from './state-checks.ts'

type Checks = Pick<ReturnType<typeof createStateChecks>, 'customerChecks' | 'counts'>
type WrongCheck = CustomerCheck & { readonly wrong: NonNullable<CustomerCheck['wrong']> }

/** The configuration that a class needs. */
export const MISSING_CONFIGURATION: Readonly<Record<AppStateField, string>> = {
  paid: 'Add "paid": "/paid/{customer}" to the configuration: a path or command that prints the paid amount in minor units.',
  access:
    'Add "access": "/access?customer={customer}" to the configuration: a path or command that prints true or false.',
}

/**
 * Returns the result of a state check. If the app never grants access or counts money for a sale type, the result has a
 * note, unless `sells` requires that type. Wrong responses with the same cause are one finding.
 */
export function evaluateStateField(
  field: AppStateField,
  name: GradeClass,
  { customerChecks, counts }: Checks,
  config: GradeConfig,
): ClassResult {
  if (config[field] === undefined)
    return { class: name, findings: [], checks: 0, notes: [MISSING_CONFIGURATION[field]] }
  const own = customerChecks.filter((one) => one.field === field)
  const reacted = new Set(own.filter((one) => one.hasReacted).map(({ customer }) => customer.sale))
  const isJudged = (sale: SaleType) => reacted.has(sale) || config.sells?.includes(sale) === true
  const wrong = own.filter((one): one is WrongCheck => one.wrong !== null)
  // Access or money before the payment, and errors, are problems even if the app does not offer this sale type.
  const judged = wrong
    .filter((one) => isJudged(one.customer.sale) || one.wrong.actual === null || Boolean(one.wrong.actual))
    // A cause specific to one customer, such as an accented letter, is wrong if other customers have the same problem.
    .map((one, _, all): WrongCheck => {
      const [text] = one.wrong.step
      const { step } = all.find((other) => other.wrong.step[0] === text)?.wrong ?? one.wrong
      return { ...one, wrong: { ...one.wrong, step } }
    })
  const groups = Map.groupBy(
    judged,
    (one) =>
      one.wrong.actual !== null &&
      `${field === 'paid' ? explain(one)[0] : one.wrong.step[2]} ${one.wrong.actual === true}`,
  )
  const findings = [...groups.values()].flatMap(toFinding)
  const sales = new Set(
    own
      .filter(({ customer }) => field === 'paid' || customer.sale === 'subscriptions')
      .map(({ customer }) => customer.sale),
  )
  const unjudged = [...sales].filter((sale) => !isJudged(sale))
  const verb = field === 'access' ? 'gave access to no customer' : 'counted no money'
  return {
    class: name,
    findings,
    checks: findings.length > 0 || unjudged.length < sales.size ? counts[field] : 0,
    notes:
      sales.size === 0
        ? ['No subscription was sold, because of "sells".']
        : unjudged.map(
            (sale) => `The app ${verb} after any of the ${sale}. If it sells them, add "sells": ["${sale}"].`,
          ),
  }
}

function toFinding([first, ...others]: readonly WrongCheck[]): GradeFinding[] {
  if (first === undefined) return []
  const { customer, wrong, timeline } = first
  const { actual, expected, step } = wrong
  const [cause, fix] = explain(first)
  const counted = actual === null ? 'every response is unclear' : `it counts ${actual} instead of ${expected}`
  const is = typeof actual === 'boolean' ? `the app gives ${actual ? 'access' : 'no access'}` : counted
  const same = others.slice(0, 3).map((one) => `${one.customer.role} after "${one.wrong.step[0]}"`)
  const more = others.length > 3 ? ` and ${formatCountWithNoun(others.length - 3, 'other')}` : ''
  return [
    {
      ...{ id: `${customer.role}/${step[0]}`, severity: 'high', fix },
      problem: `${cause} After "${step[0]}", ${is}.`,
      evidence: [
        ...[`customer ${customer.role} (${customer.id}):`, ...timeline.slice(-5)],
        ...(same.length === 0 ? [] : [`the same for ${same.join(', ')}${more}`]),
      ],
    },
  ]
}

/** The fix of an app that converts amounts. */
export const MINOR_UNITS_FIX =
  'Store the integers in minor units that the API sends. Convert only to display them, with the number of decimals of the currency.'

const COUNT_ONCE =
  'Count amount_captured of each payment, or amount_paid of each invoice and the payments without an invoice, never both.'

/** Returns the cause and the fix that the wrong number shows, or otherwise the cause and the fix of the step. */
function explain({
  wrong: { step, expected, actual },
  right,
  customer,
  field,
  response,
}: WrongCheck): readonly [cause: string, fix: string] {
  if (actual === null && response !== null) {
    const { given, expected: clear } = describeAppResponse(field, response)
    return [`The app responds to "${field}" with '${given}'.`, `Return ${clear}, for each customer.`]
  }
  const [is, must] = [Number(actual), Number(expected)]
  if (typeof actual === 'boolean' || must === 0) return [step[1], step[2]]
  const isScaled = Math.abs(is * 100 - must) < 1 || is === must * 100
  if (isScaled && customer.role === 'pays-yen')
    return ['The app converts each amount by 100, but this currency has no cents.', MINOR_UNITS_FIX]
  if (isScaled) return ['The app counts major units, such as 19.99.', MINOR_UNITS_FIX]
  if (is === must * 2 && customer.sale === 'subscriptions')
    return ['Each invoice is counted twice: at invoice.paid and at its payment.', COUNT_ONCE]
  if (is !== right && Math.abs(is - must) <= 2)
    return ['The app rounds amounts, as floating point numbers do.', MINOR_UNITS_FIX]
  return [step[1], step[2]]
}
