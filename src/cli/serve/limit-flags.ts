import type { InferredFlags } from '@oclif/core/interfaces'
import { DEFAULT_QUOTAS, MEGABYTE } from '../../domain/sandboxes/sandbox-quotas.ts'
import { integer } from '../parse/flag-builders.ts'

const grouped = (value: number) => value.toLocaleString('en')

/** Creates the flag of a limit from 1 to `max`. */
const limit = (helpValue: string, max: number, description: string) =>
  integer({ description, helpValue, min: 1, max })

/** The flags that limit the requests and contents of sandboxes. */
export const limitFlags = {
  'rate-limit': limit(
    '<requests>',
    1_000_000,
    'Maximum requests per second of each sandbox with all its API keys (default: no limit). All sandboxes together may send ten times as many requests. Bursts may have twice as many requests.',
  ),
  'max-sandbox-objects': limit(
    '<count>',
    1_000_000_000,
    `Maximum number of objects, events and other records in each sandbox except default (default: ${grouped(DEFAULT_QUOTAS.objects)}).`,
  ),
  'max-sandbox-mb': limit(
    '<megabytes>',
    1_000_000,
    'Maximum size of the records in each sandbox except default, in megabytes of JSON (default: an eighth of the maximum heap).',
  ),
  'max-sandbox-keys': limit(
    '<count>',
    100_000,
    `Maximum number of active API keys in each sandbox except default (default: ${grouped(DEFAULT_QUOTAS.keys)}).`,
  ),
  'max-sandbox-endpoints': limit(
    '<count>',
    DEFAULT_QUOTAS.endpoints,
    `Maximum number of webhook endpoints in each sandbox except default (default: ${DEFAULT_QUOTAS.endpoints}).`,
  ),
  'max-sandbox-streams': limit(
    '<count>',
    500,
    `Maximum number of open streams, such as listen, in each sandbox except default (default: ${DEFAULT_QUOTAS.streams}). All sandboxes together have at most 500.`,
  ),
  'max-open-sandboxes': limit(
    '<count>',
    100_000,
    'Maximum number of durable sandboxes that are open at the same time. Idle sandboxes are closed when other sandboxes are opened (default: an eighth of the open files that the system allows, at most 256).',
  ),
  'max-total-mb': limit(
    '<megabytes>',
    10_000_000,
    'Maximum size of the records in all sandboxes together, in megabytes of JSON (default: limited by the memory only).',
  ),
}

type LimitFlags = InferredFlags<typeof limitFlags>

/** Returns the options of a server for the given flags. */
export function getLimitOptions(flags: LimitFlags) {
  const { 'rate-limit': rateLimit, 'max-sandbox-mb': megabytes, 'max-total-mb': totalMegabytes } = flags
  const quotas = {
    objects: flags['max-sandbox-objects'],
    bytes: megabytes && megabytes * MEGABYTE,
    keys: flags['max-sandbox-keys'],
    endpoints: flags['max-sandbox-endpoints'],
    streams: flags['max-sandbox-streams'],
  }
  const given = Object.entries(quotas).filter(([, value]) => value !== undefined)
  return {
    ...(rateLimit === undefined ? {} : { rateLimit }),
    limits: {
      quotas: Object.fromEntries(given),
      maxTotalBytes: totalMegabytes && totalMegabytes * MEGABYTE,
      maxOpen: flags['max-open-sandboxes'],
    },
  }
}
