import { createParamFlags } from '../parse/flags.ts'
import { type FlagValues, getParamsFromFlags, type Params, requireParams } from '../parse/params.ts'
import type { OperationWithParams } from '../request/call.ts'
import { BRANDING_PARAM, getBrandingParams } from './branding-flags.ts'

/** The flags of a command that creates a session, and the functions that convert them to parameters. */
export type SessionFlagMapping = ReturnType<typeof createSessionFlagMapping>

/** Returns a flag for each parameter of a session; `defaults` apply when neither a flag nor a file sets a parameter. */
export function createSessionFlagMapping({ params }: OperationWithParams, defaults: Params = {}) {
  const omit = [BRANDING_PARAM]
  const fromFlags = (flags: FlagValues): Params => getParamsFromFlags<unknown>(params, flags, omit)
  return {
    flags: createParamFlags(params, { optional: Object.keys(defaults), omit }),
    fromFlags,
    /** Merges the parameters of the flags with a file. Throws when required parameters are missing. */
    merge(flags: FlagValues, file: Params): Params {
      const merged = { ...defaults, ...file, ...fromFlags(flags), ...getBrandingParams(flags, file) }
      requireParams<unknown>(params, merged)
      return merged
    },
  }
}
