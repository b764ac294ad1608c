import { UsageError } from '../../errors/usage-error.ts'
import { toSingleLine } from '../../output/format-values.ts'
import type { Baseline } from './compare-runs.ts'

/** Returns the command line of the user with further flags. */
type SuggestCommand = (...flags: readonly string[]) => string

const MAX_SHOWN = 60

/**
 * Throws a UsageError if the scenario changes no compared state, because lost or repeated orders would then cause no
 * difference. This happens if the state is not observed, differs between runs without faults, or never changes during
 * the scenario. `--expect` compares the state too.
 */
export function requireComparedStateChange(baseline: Baseline, suggest: SuggestCommand): void {
  const { observation, expectation } = baseline.record.outcome
  if (expectation !== null || baseline.isStateChanged) return
  if (observation === null) {
    throw createError('observe', '--observe and --database are missing', [
      `Give a command that prints the state: ${suggest('--observe', 'curl -sf localhost:$PORT/orders')}`,
      `Or give its database: ${suggest('--database', 'shop.sqlite')}`,
      `If the app has no state of its own: ${suggest('--allow-unchanged')}`,
    ])
  }
  const ignored = baseline.ignored.join(', ')
  if (ignored !== '') {
    throw createError('reset', `the scenario changes only values that are ignored (${ignored})`, [
      `They differ between two runs without faults. If the app keeps the state of earlier runs, delete it: ${suggest('--reset', 'rm -f <database of the app>')}`,
      'Counters and logs of webhooks are ignored, too.',
    ])
  }
  const output = observation.trim() === '' ? 'nothing' : toSingleLine(observation.trim()).slice(0, MAX_SHOWN)
  throw createError('observe', `the scenario does not change the observed state (${output})`, [
    'Print what the scenario changes, such as orders, from the app at $PORT. With curl, use -f, so that an error fails.',
    `If this output is right: ${suggest('--allow-unchanged')}`,
  ])
}

function createError(param: string, reason: string, advice: readonly string[]): UsageError {
  const message = `No state of the app is compared, so explore could find almost no bug: ${reason}.`
  return new UsageError('state_not_compared', message, { param, hint: advice.join('\n') })
}
