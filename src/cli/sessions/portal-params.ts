import { portalSessions } from '../../api/operations/portal-sessions.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import { repeatable } from '../parse/flag-builders.ts'
import { createParamFlags } from '../parse/flags.ts'
import { getObjectParamSchema } from '../parse/param-kinds.ts'
import {
  type FlagValues,
  getParamsFromFlags,
  listFlagValues,
  type Params,
  requireParams,
} from '../parse/params.ts'
import { BRANDING_PARAM, getBrandingParams } from './branding-flags.ts'
import { parsePlan } from './item-flag.ts'
import type { SessionFlagMapping } from './session-flags.ts'

const { params: SCHEMA } = portalSessions.create
const featuresSchema = getObjectParamSchema(SCHEMA, 'features')
const OMITTED = ['features', BRANDING_PARAM]

/** The flags of `portal create`, and the functions that convert them to parameters. Each feature has its own flag. */
export const PORTAL_FLAG_MAPPING: SessionFlagMapping = {
  flags: {
    ...createParamFlags(SCHEMA, { omit: OMITTED }),
    ...createParamFlags(featuresSchema, { omit: ['plans'] }),
    plan: repeatable({
      description:
        'Plan that the customer can choose (default: the plan cannot change). Repeat for up to 20 plans.',
      helpValue: '<description:amount[:currency[:interval[:tax_percent]]]>',
    }),
  },
  fromFlags: portalParams,
  merge(flags, file) {
    const { features, ...params } = portalParams(flags)
    const merged = { ...file, ...params, ...getBrandingParams(flags, file) }
    const fromFile = isJsonObject(file['features']) ? file['features'] : {}
    requireParams<unknown>(SCHEMA, merged)
    return features === undefined ? merged : { ...merged, features: { ...fromFile, ...Object(features) } }
  },
}

function portalParams(flags: FlagValues): Params {
  const plans = listFlagValues(flags['plan']).map(parsePlan)
  const features = {
    ...getParamsFromFlags<unknown>(featuresSchema, flags, ['plans']),
    ...(plans.length === 0 ? {} : { plans }),
  }
  const isGiven = Object.keys(features).length > 0
  return { ...getParamsFromFlags<unknown>(SCHEMA, flags, OMITTED), ...(isGiven ? { features } : {}) }
}
