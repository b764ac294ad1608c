import { toDashedName } from './param-kinds.ts'

/** Flags that are not named after their parameter. */
const RENAMED_FLAGS: Readonly<Record<string, string>> = {
  items: 'item',
  test_card: 'card',
  frozen_time: 'at',
  webhook_endpoint: 'endpoint',
  off_session: 'on-session',
  'subscription_data[metadata]': 'subscription-metadata',
}

/** Flags of every command, which set no parameter. */
const GLOBAL: ReadonlySet<string> = new Set(['api-base', 'api-key', 'profile', 'json', 'field', 'color'])

/** Returns whether a command line, rather than the environment, sets a flag with a value. */
export function isFlagGiven(argv: readonly string[], flag: string): boolean {
  return argv.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`))
}

/** Returns the name of the flag that sets a parameter on the command line. */
export function getParamFlagName(param: string): string {
  return RENAMED_FLAGS[param] ?? toDashedName(param)
}

/**
 * Returns the flag that sets a parameter such as `subscription_data[start_date]`, or null if no flag in `flags` sets
 * it.
 */
export function findParamFlag(param: string, flags: readonly string[]): string | null {
  const steps = param.split(/[[\]]+/).filter((step) => step !== '')
  const candidates = [
    getParamFlagName(param),
    toDashedName(steps.join('-')),
    ...steps.toReversed().map(getParamFlagName),
  ]
  return candidates.find((name) => flags.includes(name) && !GLOBAL.has(name)) ?? null
}
