import { flagName } from './param-kinds.ts'

/** Flags that are not named after their parameter. */
const RENAMED_FLAGS: Readonly<Record<string, string>> = {
  items: 'item',
  test_card: 'card',
  frozen_time: 'at',
  webhook_endpoint: 'endpoint',
  off_session: 'on-session',
  'subscription_data[metadata]': 'subscription-metadata',
}

/** Returns the flag of a parameter, on a command that has one for it. */
export function flagOf(param: string): string {
  return RENAMED_FLAGS[param] ?? flagName(param)
}

/** Returns whether a flag sets its parameter to false. */
export function isNegatedFlag(flag: string): boolean {
  return flag === RENAMED_FLAGS['off_session']
}

/** Returns possible flags of a parameter such as `subscription_data[start_date]`, the most likely first. */
export function candidateFlags(param: string): readonly string[] {
  const steps = param.split(/[[\]]+/).filter((step) => step !== '')
  const renamed = RENAMED_FLAGS[param]
  return [
    ...(renamed === undefined ? [] : [renamed]),
    flagName(steps.join('-')),
    ...steps.toReversed().map((step) => flagOf(step)),
  ]
}
