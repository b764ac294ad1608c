import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from './usage-error.ts'
import type { ServiceStatus } from './whereabouts.ts'

const OWNER_ONLY = 0o600

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string>>

/** The variables with which programs, paycli itself among them, find a service. */
export function variablesOf(
  status: Pick<ServiceStatus, 'api_url' | 'api_key' | 'checkout_url' | 'webhook_secret'>,
): Variables {
  const { api_url, api_key, checkout_url, webhook_secret } = status
  return {
    PAYCLI_API_BASE: api_url,
    ...(api_key === null ? {} : { PAYCLI_API_KEY: api_key }),
    ...(checkout_url === null ? {} : { PAYCLI_CHECKOUT_URL: checkout_url }),
    ...(webhook_secret === null ? {} : { PAYCLI_WEBHOOK_SECRET: webhook_secret }),
  }
}

/** The variables as lines of an .env file; a value that is not plain is quoted. */
export function envLines(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${/^[\w./:@%+-]*$/.test(value) ? value : JSON.stringify(value)}\n`)
    .join('')
}

/** Sets variables in an .env file, which others lines leave as they are; a new file only its owner can read. */
export async function writeEnvFile(file: string, variables: Variables): Promise<void> {
  const before = await readFile(file, 'utf8').catch(orEmpty)
  const names = new Set(Object.keys(variables))
  const kept = before
    .split('\n')
    .filter((line) => !names.has(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1] ?? ''))
    .join('\n')
  const head = kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`
  try {
    await writeFile(file, head + envLines(variables), { mode: OWNER_ONLY })
  } catch (error) {
    const isNoFolder = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isNoFolder ? `there is no folder '${dirname(file)}'` : reasonOf(error)
    throw new UsageError('file_invalid', `'${file}' cannot be written: ${why}.`, {
      hint: 'Name a file in a folder that is there.',
    })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function orEmpty(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw new UsageError('file_invalid', `The file cannot be read: ${error.message}.`)
}
