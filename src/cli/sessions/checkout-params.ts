import type { ParamsOf } from '../../api/core/operation.ts'
import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import { repeatable, string } from '../parse/flag-builders.ts'
import { getParamFlagName } from '../parse/flag-names.ts'
import { createParamFlags } from '../parse/flags.ts'
import { getObjectParamSchema } from '../parse/param-kinds.ts'
import {
  type FlagValues,
  getParamsFromFlags,
  listFlagValues,
  type Params,
  parseMetadata,
  requireParams,
} from '../parse/params.ts'
import { BRANDING_PARAM, getBrandingParams } from './branding-flags.ts'
import { parseItem } from './item-flag.ts'
import type { SessionFlagMapping } from './session-flags.ts'

const { params: SCHEMA } = checkoutSessions.create

// The parameters of `subscription_data` and of `trial_settings` have their own flags.
const subscriptionSchema = getObjectParamSchema(SCHEMA, 'subscription_data')
const trialSettingsSchema = getObjectParamSchema(subscriptionSchema, 'trial_settings')

/** Parameters without a flag of the same name. */
const OMITTED_PARAMS = ['subscription_data', 'discounts', BRANDING_PARAM]

/** Parameters of `subscription_data` that `--item`, `--subscription-metadata` and the flags of a trial replace. */
const OMITTED_SUBSCRIPTION_PARAMS = ['items', 'metadata', 'trial_settings']

/** The flags of `checkout create`, and the functions that convert them to parameters. */
export const CHECKOUT_FLAG_MAPPING: SessionFlagMapping = {
  flags: {
    ...createParamFlags(SCHEMA, { omit: OMITTED_PARAMS }),
    ...createParamFlags(subscriptionSchema, { omit: OMITTED_SUBSCRIPTION_PARAMS }),
    ...createParamFlags(trialSettingsSchema, { optional: ['missing_payment_method'] }),
    item: repeatable({
      description: '(required) Item billed in each period. Repeat for up to 20 items.',
      helpValue: '<description:amount[:tax_percent[:type[:quantity]]]>',
    }),
    coupon: string({ description: 'Coupon that discounts the subscription.', helpValue: '<id>' }),
    'promotion-code': string({
      description: 'Promotion code that discounts the subscription.',
      helpValue: '<id>',
      exclusive: ['coupon'],
    }),
    'subscription-metadata': repeatable({
      description: 'Metadata of the subscription. Repeat for more keys.',
      helpValue: '<key=value>',
    }),
  },
  fromFlags: checkoutFlagParams,
  merge: getCheckoutParams,
}

function checkoutFlagParams(flags: FlagValues): Params {
  const { coupon, 'promotion-code': promotion_code } = flags
  const discount = coupon === undefined ? { promotion_code } : { coupon }
  return {
    ...getParamsFromFlags(SCHEMA, flags, OMITTED_PARAMS),
    ...(Object.values(discount).some(Boolean) ? { discounts: [discount] } : {}),
    subscription_data: subscriptionFlagParams(flags),
  }
}

/** Returns the parameters of `checkout create`. Flags override the file; the fields of `subscription_data` are merged. */
export function getCheckoutParams(flags: FlagValues, file: Params): ParamsOf<typeof checkoutSessions.create> {
  const fileData = file['subscription_data']
  const { subscription_data: flagData, ...flagParams } = checkoutFlagParams(flags)
  const subscription_data = { ...(isJsonObject(fileData) ? fileData : {}), ...Object(flagData) }
  const session = { ...file, ...getBrandingParams(flags, file), ...flagParams }
  const required = [...(SCHEMA.required ?? []), ...(subscriptionSchema.required ?? [])]
  const flatSchema = {
    properties: { ...SCHEMA.properties, ...subscriptionSchema.properties },
    required: required.filter((name) => !OMITTED_PARAMS.includes(name)),
  }
  requireParams<unknown>(flatSchema, { ...session, ...subscription_data }, getParamFlagName)
  // Flags and files guarantee only some types of the schema. The API validates the other values.
  return { ...session, subscription_data } as ParamsOf<typeof checkoutSessions.create>
}

function subscriptionFlagParams(flags: FlagValues): Params {
  const items = listFlagValues(flags['item']).map((item) => parseItem(item, flags['currency']))
  const metadata = listFlagValues(flags['subscription-metadata'])
  const trial_settings = getParamsFromFlags<unknown>(trialSettingsSchema, flags)
  return {
    ...getParamsFromFlags<unknown>(subscriptionSchema, flags, OMITTED_SUBSCRIPTION_PARAMS),
    ...(Object.keys(trial_settings).length === 0 ? {} : { trial_settings }),
    ...(items.length === 0 ? {} : { items }),
    ...(metadata.length === 0 ? {} : { metadata: parseMetadata('subscription-metadata', metadata) }),
  }
}
