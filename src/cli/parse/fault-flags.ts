import type { FlagInput } from '@oclif/core/interfaces'
import { findNearestName } from '../../api/schema/spelling.ts'
import {
  FAULT_HTTP_STATUSES,
  FAULT_TYPES_BY_KIND,
  type FaultParams,
  faultParams,
} from '../../domain/faults/faults.ts'
import { parseDurationToMilliseconds } from '../../domain/time/durations.ts'
import { createInvalidFlagError, UsageError } from '../errors/usage-error.ts'
import { boolean, string } from './flag-builders.ts'
import { createParamFlags } from './flags.ts'
import { type FlagValues, getParamsFromFlags, type Params } from './params.ts'

/** Parameters that other flags or the argument set. */
const OMITTED = ['type', 'match', 'delay_ms', 'http_status', 'bytes_per_second', 'order']

const MATCH_FLAGS = {
  operation: 'operation',
  events: 'event_type',
  endpoint: 'webhook_endpoint',
  customer: 'customer',
} as const

/** The flags of `faults add`. */
export const faultFlags: FlagInput = {
  operation: string({
    description:
      'Only requests of this operation: resource and action, with * for any text (default: all operations).',
    helpValue: '<glob>',
  }),
  events: string({
    description: 'Only deliveries of this event type, with * for any text (default: all types).',
    helpValue: '<glob>',
  }),
  endpoint: string({
    description: 'Only deliveries to this webhook endpoint (default: all endpoints).',
    helpValue: '<we_…>',
  }),
  customer: string({
    description: 'Only payments, events and requests of this customer (default: all customers).',
    helpValue: '<cus_…>',
  }),
  delay: string({
    description:
      'Duration of a delay or of processing, up to 60s (default: 1s, for delay_delivery 5s, for processing 3s).',
    helpValue: '<500ms|5s>',
  }),
  status: string({
    description: 'Status of error (default: 500).',
    options: FAULT_HTTP_STATUSES.map(String),
  }),
  speed: string({
    description: 'Speed of slow_response in bytes per second (default: 100).',
    helpValue: '<integer>',
  }),
  concurrent: boolean({
    description: 'Send the copies of duplicate at the same time (default: one after the other).',
  }),
  ...createParamFlags(faultParams, { omit: OMITTED }),
}

/** Returns the parameters of `faults.create` that the type and the flags set. */
export function getFaultParams(type: string | undefined, flags: FlagValues): Params {
  const { delay, status, speed, concurrent } = flags
  const matches = Object.entries(MATCH_FLAGS).filter(([flag]) => flags[flag] !== undefined)
  const match = Object.fromEntries(matches.map(([flag, name]) => [name, flags[flag]]))
  return {
    ...(type !== undefined && { type }),
    ...(matches.length > 0 && { match }),
    ...(delay !== undefined && { delay_ms: toMilliseconds(String(delay)) }),
    ...(status !== undefined && { http_status: Number(status) }),
    ...(speed !== undefined && { bytes_per_second: toInteger('speed', String(speed)) }),
    ...(concurrent === true && { order: 'concurrent' }),
    ...getParamsFromFlags(faultParams, flags, OMITTED),
  }
}

/** Throws when the type of a fault is missing or unknown. */
export function requireFaultType(params: Params): asserts params is Params & FaultParams {
  const { type } = params
  const known: readonly string[] = Object.values(FAULT_TYPES_BY_KIND).flat()
  if (known.includes(String(type))) return
  const { request, delivery, payment } = FAULT_TYPES_BY_KIND
  const lists = { requests: request, deliveries: delivery, payments: payment }
  const hint = Object.entries(lists).map(([noun, types]) => `On ${noun}: ${types.join(', ')}.`)
  const isMissing = type === undefined
  const nearest = isMissing ? null : findNearestName(String(type).toLowerCase(), known)
  const message = isMissing ? 'The type of the fault is missing.' : `Unknown type of fault '${type}'.`
  throw new UsageError(isMissing ? 'argument_missing' : 'argument_invalid', message, {
    param: 'fault',
    hint:
      nearest === null
        ? `For instance: paycli faults add drop_response. ${hint.join(' ')}`
        : `Did you mean ${nearest}?`,
  })
}

function toMilliseconds(text: string): number {
  const value = parseDurationToMilliseconds(text)
  if (value !== null && value > 0) return value
  throw createInvalidFlagError(
    'delay',
    text,
    'a duration',
    'Use a whole number with ms, s or m: 500ms or 5s.',
  )
}

function toInteger(flag: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw createInvalidFlagError(flag, text, 'an integer')
}
