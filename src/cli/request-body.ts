import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../api/schema.ts'
import { isFields } from '../client/fields.ts'
import { withData } from './data-flag.ts'
import { paramsFromFile } from './from-file.ts'
import { flagName } from './param-kinds.ts'
import { type FlagValues, type Params, textsOf } from './params.ts'
import { UsageError } from './usage-error.ts'

/** The one parameter whose parts have flags; of any other a flag says the whole. */
const IN_PARTS = 'subscription_data'
const ITEMS = 'items'

/**
 * The parameters that `--from-file` and, over them, `--data` give; none without these flags. Refuses what `--data` and a
 * flag of its own say differently: one of them would be passed over.
 */
export async function bodyParams(
  flags: FlagValues,
  schema: Schema<unknown>,
  spoken: Params,
): Promise<Params> {
  const pairs = textsOf(flags['data'])
  requireAgreement(withData({}, pairs, schema), spoken)
  return withData(await paramsFromFile(flags), pairs, schema)
}

function requireAgreement(data: Params, spoken: Params): void {
  for (const [name, value] of Object.entries(data)) {
    const said = spoken[name]
    if (said === undefined || isDeepStrictEqual(value, said)) continue
    if (name !== IN_PARTS || !isFields(value) || !isFields(said)) throw disagreement(name)
    requireAgreement(value, said)
  }
}

function disagreement(name: string): UsageError {
  const flag = name === ITEMS ? 'item' : flagName(name)
  return new UsageError('flag_invalid', `--${flag} and --data say different things of '${name}'.`, {
    param: flag,
    hint: 'Give it with one of them.',
  })
}
