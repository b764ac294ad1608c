import type { FlagInput } from '@oclif/core/interfaces'
import { UsageError } from '../errors/usage-error.ts'
import { string } from './options.ts'

/** The flag that picks requests by how they were answered. */
export const statusFlag: FlagInput = {
  status: string({
    description: 'Only requests answered with this status, such as 404, or with one of a class, such as 4xx.',
    helpValue: '<status>',
  }),
}

interface StatusParams {
  readonly status?: { readonly gte: number; readonly lt?: number; readonly lte?: number }
}

/** What `--status` asks a list for: one status, or a hundred of them for `4xx`; nothing where it was not given. */
export function statusParams(given: unknown): StatusParams {
  if (typeof given !== 'string') return {}
  if (/^[1-5]\d\d$/.test(given)) return { status: { gte: Number(given), lte: Number(given) } }
  if (/^[1-5]xx$/.test(given)) {
    const from = Number(given.charAt(0)) * 100
    return { status: { gte: from, lt: from + 100 } }
  }
  throw new UsageError('flag_invalid', `'${given}' is no status and no class of them.`, {
    param: 'status',
    hint: 'Give a status such as 404, or a class such as 4xx.',
  })
}
