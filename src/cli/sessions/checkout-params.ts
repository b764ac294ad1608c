import type { ObjectSchema } from '../../api/schema/schema.ts'
import { isFields } from '../../client/fields.ts'
import { flagOf } from '../parse/flag-names.ts'
import { innerSchema } from '../parse/param-kinds.ts'
import {
  type FlagValues,
  metadataFrom,
  type Params,
  paramsFromFlags,
  requireParams,
  textsOf,
} from '../parse/params.ts'
import { parseItem } from './item-flag.ts'

type Schema = ObjectSchema<unknown>

/** The schema of `subscription_data`, whose parameters are flags of their own. */
export function termsOf(params: Schema): Schema {
  return innerSchema(params as ObjectSchema<{ readonly subscription_data: unknown }>, 'subscription_data')
}

/** Parameters of the session that no single flag says. */
export const OMITTED = ['subscription_data']

/** Parameters of `subscription_data` that have flags of another shape. */
export const OMITTED_TERMS = ['items', 'metadata']

/** What the flags alone say. */
export function spokenParams(flags: FlagValues, params: Schema): Params {
  const terms = termsFromFlags(flags, termsOf(params))
  return { ...paramsFromFlags<unknown>(params, flags, OMITTED), subscription_data: terms }
}

/** The parameters of `checkout create`: the flags over what the file says, one level deep in `subscription_data`. */
export function checkoutParams(flags: FlagValues, file: Params, params: Schema): Params {
  const before = file['subscription_data']
  const termsSchema = termsOf(params)
  const { subscription_data, ...spoken } = spokenParams(flags, params)
  const terms = { ...(isFields(before) ? before : {}), ...Object(subscription_data) }
  const given = { ...file, ...spoken }
  const required = [...(params.required ?? []), ...(termsSchema.required ?? [])]
  const needed = {
    properties: { ...params.properties, ...termsSchema.properties },
    required: required.filter((name) => !OMITTED.includes(name)),
  }
  requireParams<unknown>(needed, { ...given, ...terms }, flagOf)
  // The service checks what the file says.
  return { ...given, subscription_data: terms }
}

function termsFromFlags(flags: FlagValues, schema: Schema): Params {
  const items = textsOf(flags['item']).map(parseItem)
  const metadata = textsOf(flags['subscription-metadata'])
  return {
    ...paramsFromFlags<unknown>(schema, flags, OMITTED_TERMS),
    ...(items.length === 0 ? {} : { items }),
    ...(metadata.length === 0 ? {} : { metadata: metadataFrom('subscription-metadata', metadata) }),
  }
}
