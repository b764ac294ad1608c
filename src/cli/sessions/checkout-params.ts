import type { ObjectSchema } from '../../api/schema/schema.ts'
import { isJsonObject } from '../../client/json-object.ts'
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

/** Returns the schema of `subscription_data`. Its parameters have their own flags. */
export function subscriptionSchema(params: Schema): Schema {
  return innerSchema(params as ObjectSchema<{ readonly subscription_data: unknown }>, 'subscription_data')
}

/** Parameters without a flag of the same name. */
export const OMITTED_PARAMS = ['subscription_data']

/** Parameters of `subscription_data` that `--item` and `--subscription-metadata` replace. */
export const OMITTED_SUBSCRIPTION_PARAMS = ['items', 'metadata']

/** Returns the parameters that the flags set. */
export function checkoutFlagParams(flags: FlagValues, params: Schema): Params {
  const subscription_data = subscriptionFlagParams(flags, subscriptionSchema(params))
  return { ...paramsFromFlags<unknown>(params, flags, OMITTED_PARAMS), subscription_data }
}

/** Returns the parameters of `checkout create`. Flags override the file, each field of `subscription_data` by itself. */
export function checkoutParams(flags: FlagValues, file: Params, params: Schema): Params {
  const fileData = file['subscription_data']
  const dataSchema = subscriptionSchema(params)
  const { subscription_data: flagData, ...flagParams } = checkoutFlagParams(flags, params)
  const subscription_data = { ...(isJsonObject(fileData) ? fileData : {}), ...Object(flagData) }
  const session = { ...file, ...flagParams }
  const required = [...(params.required ?? []), ...(dataSchema.required ?? [])]
  const flatSchema = {
    properties: { ...params.properties, ...dataSchema.properties },
    required: required.filter((name) => !OMITTED_PARAMS.includes(name)),
  }
  requireParams<unknown>(flatSchema, { ...session, ...subscription_data }, flagOf)
  return { ...session, subscription_data }
}

function subscriptionFlagParams(flags: FlagValues, schema: Schema): Params {
  const items = textsOf(flags['item']).map(parseItem)
  const metadata = textsOf(flags['subscription-metadata'])
  return {
    ...paramsFromFlags<unknown>(schema, flags, OMITTED_SUBSCRIPTION_PARAMS),
    ...(items.length === 0 ? {} : { items }),
    ...(metadata.length === 0 ? {} : { metadata: metadataFrom('subscription-metadata', metadata) }),
  }
}
