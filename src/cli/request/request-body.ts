import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../domain/core/json-object.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { isTimestampField } from '../../domain/text/field-names.ts'
import { UsageError } from '../errors/usage-error.ts'
import { addDataParams } from '../parse/data-flag.ts'
import { findParamFlag } from '../parse/flag-names.ts'
import { readFileParams } from '../parse/input-file.ts'
import { toDashedName } from '../parse/param-kinds.ts'
import { type FlagValues, listFlagValues, type Params } from '../parse/params.ts'
import { parseTimestamp } from '../parse/timestamp.ts'

/** The only parameter whose fields are compared one by one, because flags set them separately. */
const NESTED_PARAM = 'subscription_data'

/**
 * Returns the parameters of `--from-file`, overridden by `--data`. Throws when `--data` and another flag give different
 * values for one parameter, because one value would be ignored.
 */
export async function mergeFileAndDataParams(
  flags: FlagValues,
  schema: Schema<unknown>,
  flagParams: Params,
): Promise<Params> {
  const pairs = listFlagValues(flags['data'])
  const [conflict] = findConflicts(addDataParams({}, pairs, schema), flagParams)
  if (conflict !== undefined) throw conflictError(conflict, Object.keys(flags))
  return addDataParams(await readFileParams(flags), pairs, schema)
}

/** Returns the parameters with different values in `--data` and in flags, in the notation of `--data`. */
function findConflicts(data: Params, flagParams: Params): string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const flagValue = flagParams[name]
    if (flagValue === undefined || isSameValue(name, value, flagValue)) return []
    if (name !== NESTED_PARAM || !isJsonObject(value) || !isJsonObject(flagValue)) return [name]
    return findConflicts(value, flagValue).map((inner) => `${name}[${inner}]`)
  })
}

// Flags convert dates to Unix seconds; values of --data are still strings.
function isSameValue(name: string, value: unknown, flagValue: unknown): boolean {
  if (isDeepStrictEqual(value, flagValue)) return true
  return isTimestampField(name) && typeof value === 'string' && parseTimestamp(value) === flagValue
}

function conflictError(path: string, flags: readonly string[]): UsageError {
  const flag = findParamFlag(path, flags) ?? toDashedName(path)
  return new UsageError('flag_invalid', `--${flag} and --data give different values for '${path}'.`, {
    param: flag,
    hint: 'Set the parameter with only one of the two flags.',
  })
}
