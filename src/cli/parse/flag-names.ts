import { flagName } from './param-kinds.ts'

interface OtherFlag {
  readonly flag: string
  /** Whether the flag says that the parameter is false. */
  readonly isOpposite?: true
}

/** Flags that stand for parameters of another name, of one name in several places, or for the opposite of one. */
const OTHER_FLAGS: Readonly<Record<string, OtherFlag>> = {
  items: { flag: 'item' },
  test_card: { flag: 'card' },
  frozen_time: { flag: 'at' },
  webhook_endpoint: { flag: 'endpoint' },
  off_session: { flag: 'on-session', isOpposite: true },
  'subscription_data[metadata]': { flag: 'subscription-metadata' },
}

const OPPOSITES: ReadonlySet<string> = new Set(
  Object.values(OTHER_FLAGS).flatMap(({ flag, isOpposite }) => (isOpposite ? [flag] : [])),
)

/** The flag of a parameter, on a command that has one for it. */
export function flagOf(param: string): string {
  return OTHER_FLAGS[param]?.flag ?? flagName(param)
}

/** Whether a flag says the opposite of the parameter it stands for. */
export function isOpposite(flag: string): boolean {
  return OPPOSITES.has(flag)
}

/** The flags that may stand for a parameter such as `subscription_data[start_date]`, the likeliest first. */
export function flagsThatMayBe(param: string): readonly string[] {
  const steps = param.split(/[[\]]+/).filter((step) => step !== '')
  const whole = OTHER_FLAGS[param]?.flag
  return [
    ...(whole === undefined ? [] : [whole]),
    flagName(steps.join('-')),
    ...steps.toReversed().map((step) => flagOf(step)),
  ]
}
