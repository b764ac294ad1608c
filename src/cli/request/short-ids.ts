import type { List } from '../../api/core/lists.ts'
import { findResourceOfId } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { CommandInput } from './call.ts'
import { readPages } from './paginate.ts'

/** Matches an id in the short form of narrow tables, such as `evt_…ls2e`, or with dots instead of the ellipsis. */
const SHORT_ID = /^((?:[a-z]+_)+)(?:…|\.\.\.?)([A-Za-z0-9]{4,})$/
const MAX_OBJECTS = 10_000
const MAX_CANDIDATES = 5
const WIDE_HINT = 'To print complete ids, repeat the list with --wide.'

type FlagValue = CommandInput['flags'][string]

/** Returns whether an argument or a flag is a shortened id. */
export function hasShortIds({ words, flags }: CommandInput): boolean {
  return [...words, ...Object.values(flags).flat()].some(isShortId)
}

/**
 * Replaces each shortened id with the complete id. Throws unless exactly one of the newest 10,000 objects of its
 * resource matches.
 */
export async function expandShortIds(
  { words, id, flags }: CommandInput,
  client: Client,
): Promise<CommandInput> {
  const expand = (value: string) => (isShortId(value) ? findId(value, client) : value)
  const expandFlag = async (value: FlagValue) => {
    if (Array.isArray(value)) return Promise.all(value.map(expand))
    return typeof value === 'string' ? expand(value) : value
  }
  const entries = Object.entries(flags).map(async ([name, value]) => [name, await expandFlag(value)] as const)
  const expanded = await Promise.all(words.map(expand))
  return {
    id: expanded[words.indexOf(id)] ?? id,
    words: expanded,
    flags: Object.fromEntries(await Promise.all(entries)),
  }
}

// Other strings, such as file names, may have the same form.
function isShortId(value: unknown): boolean {
  const [, prefix] = (typeof value === 'string' && SHORT_ID.exec(value)) || []
  return prefix !== undefined && findResourceOfId(prefix)?.idPrefix === prefix
}

async function findId(short: string, client: Client): Promise<string> {
  const [, prefix = '', end = ''] = SHORT_ID.exec(short) ?? []
  const resource = findResourceOfId(prefix)
  if (resource === undefined || resource.listPath.includes(':'))
    throw shortIdError(`'${short}' is a shortened id, and no list has all objects of its type.`, WIDE_HINT)
  const list = { method: 'GET', path: `/v1/${resource.listPath}` } as const
  const readPage = (cursor: object) => client.send(list, { ...cursor })
  const { found } = await readPages(
    async (cursor) => (await readPage(cursor)) as List<{ readonly id: string }>,
    MAX_OBJECTS,
  )
  const [match, ...others] = found.filter(({ id }) => id.endsWith(end)).map(({ id }) => id)
  if (match === undefined)
    throw shortIdError(
      `No id of the newest 10,000 ${resource.name.replaceAll('_', ' ')} matches '${short}'.`,
      WIDE_HINT,
    )
  if (others.length === 0) return match
  const candidates = [match, ...others].slice(0, MAX_CANDIDATES).join(', ')
  throw shortIdError(
    `${others.length + 1} ids match '${short}'.`,
    `Use a complete id, such as ${candidates}.`,
  )
}

function shortIdError(message: string, hint: string): UsageError {
  return new UsageError('id_shortened', message, { hint })
}
