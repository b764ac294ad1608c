import { flagsOf } from '../parse/flags.ts'
import { type FlagValues, type Params, paramsFromFlags, requireParams } from '../parse/params.ts'
import type { OperationWithParams } from '../request/call.ts'
import { BRANDING_PARAM, brandingParams } from './branding-flags.ts'

/** The flags of a command that creates a session, and the functions that convert them to parameters. */
export type SessionFlags = ReturnType<typeof createSessionFlags>

/** Returns a flag for each parameter of a session; `defaults` apply when neither a flag nor a file sets a parameter. */
export function createSessionFlags({ params }: OperationWithParams, defaults: Params = {}) {
  const omit = [BRANDING_PARAM]
  const fromFlags = (flags: FlagValues): Params => paramsFromFlags<unknown>(params, flags, omit)
  return {
    flags: flagsOf(params, { optional: Object.keys(defaults), omit }),
    fromFlags,
    /** Merges the parameters of the flags with a file. Throws when required parameters are missing. */
    merge(flags: FlagValues, file: Params): Params {
      const merged = { ...defaults, ...file, ...fromFlags(flags), ...brandingParams(flags, file) }
      requireParams<unknown>(params, merged)
      return merged
    },
  }
}
