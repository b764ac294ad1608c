import { checkoutSessions } from '../api/checkout-sessions.ts'
import type { ParamsOf } from '../api/operation.ts'
import type { ObjectSchema } from '../api/schema.ts'
import { isFields } from '../client/fields.ts'
import { parseItem } from './item-flag.ts'
import { flagName, innerSchema } from './param-kinds.ts'
import {
  type FlagValues,
  metadataFrom,
  type Params,
  paramsFromFlags,
  requireParams,
  textsOf,
} from './params.ts'

const { params } = checkoutSessions.create

type CreateParams = ParamsOf<typeof checkoutSessions.create>
type Terms = CreateParams['subscription_data']

/** The schema of `subscription_data`, whose parameters are flags of their own. */
export const termsSchema: ObjectSchema<Terms> = innerSchema(params, 'subscription_data')

/** Parameters of the session that no single flag says. */
export const OMITTED = ['subscription_data']

/** Parameters of `subscription_data` that have flags of another shape. */
export const OMITTED_TERMS = ['items', 'metadata']

/** The parameters of `checkout create`: the flags over what the file says, one level deep in `subscription_data`. */
export function checkoutParams(flags: FlagValues, file: Params): CreateParams {
  const before = file['subscription_data']
  const terms = { ...(isFields(before) ? before : {}), ...termsFromFlags(flags) }
  const given = { ...file, ...paramsFromFlags(params, flags, OMITTED) }
  const required = [...(params.required ?? []), ...(termsSchema.required ?? [])]
  const needed = { ...params, required: required.filter((name) => !OMITTED.includes(name)) }
  requireParams<unknown>(needed, { ...given, ...terms }, (name) =>
    name === 'items' ? 'item' : flagName(name),
  )
  // The service checks what the file says.
  return { ...given, subscription_data: terms } as CreateParams
}

function termsFromFlags(flags: FlagValues): Partial<Terms> {
  const items = textsOf(flags['item']).map(parseItem)
  const metadata = textsOf(flags['subscription-metadata'])
  return {
    ...paramsFromFlags(termsSchema, flags, OMITTED_TERMS),
    ...(items.length === 0 ? {} : { items }),
    ...(metadata.length === 0 ? {} : { metadata: metadataFrom('subscription-metadata', metadata) }),
  }
}
