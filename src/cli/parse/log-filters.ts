import type { FlagInput } from '@oclif/core/interfaces'
import { createInvalidFlagError } from '../errors/usage-error.ts'
import { string } from './flag-builders.ts'

/** The flag that filters requests by response status. */
export const statusFlag: FlagInput = {
  status: string({
    description: 'Only requests with this response status, such as 404, or status class, such as 4xx.',
    helpValue: '<status>',
  }),
}

/** Converts `--status` to the range parameter of a list; empty without the flag. */
export function parseStatusFilter(value: unknown) {
  if (typeof value !== 'string') return {}
  if (/^[1-5]\d\d$/.test(value)) return { status: { gte: Number(value), lte: Number(value) } }
  if (/^[1-5]xx$/.test(value)) {
    const from = Number(value.charAt(0)) * 100
    return { status: { gte: from, lt: from + 100 } }
  }
  throw createInvalidFlagError('status', value, 'a status such as 404, or a class such as 4xx')
}
