import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../../api/schema/schema.ts'
import { isFields } from '../../client/fields.ts'
import { UsageError } from '../errors/usage-error.ts'
import { withData } from '../parse/data-flag.ts'
import { flagFor } from '../parse/error-flags.ts'
import { paramsFromFile } from '../parse/from-file.ts'
import { flagName } from '../parse/param-kinds.ts'
import { type FlagValues, type Params, textsOf } from '../parse/params.ts'
import { isMoment, parseMoment } from '../parse/timestamp.ts'

/** The one parameter whose parts have flags; of any other a flag says the whole. */
const IN_PARTS = 'subscription_data'

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
  const [apart] = disagreements(withData({}, pairs, schema), spoken)
  if (apart !== undefined) throw disagreement(apart, Object.keys(flags))
  return withData(await paramsFromFile(flags), pairs, schema)
}

// The paths, as `--data` writes them, of what the two say differently.
function disagreements(data: Params, spoken: Params): string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const said = spoken[name]
    if (said === undefined || isAlike(name, value, said)) return []
    if (name !== IN_PARTS || !isFields(value) || !isFields(said)) return [name]
    return disagreements(value, said).map((inner) => `${name}[${inner}]`)
  })
}

// A flag has turned a date into seconds; what --data says is as it was typed.
function isAlike(name: string, value: unknown, said: unknown): boolean {
  if (isDeepStrictEqual(value, said)) return true
  return isMoment(name) && typeof value === 'string' && parseMoment(value) === said
}

function disagreement(path: string, given: readonly string[]): UsageError {
  const flag = flagFor(path, given) ?? flagName(path)
  return new UsageError('flag_invalid', `--${flag} and --data say different things of '${path}'.`, {
    param: flag,
    hint: 'Give it with one of them.',
  })
}
