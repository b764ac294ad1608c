import { dirname, resolve } from 'node:path'
import { UsageError } from '../errors/usage-error.ts'
import { readOwnFile, writeOwnFile } from '../service/own-file.ts'
import type { ServiceStatus } from '../service/service-status.ts'

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

/** Sets variables in an .env file and keeps its other lines; afterwards only its owner can read it, for it holds a key. */
export async function writeEnvFile(file: string, variables: Variables): Promise<void> {
  const before = textOf(file)
  const names = new Set(Object.keys(variables))
  const kept = before
    .split('\n')
    .filter((line) => !names.has(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1] ?? ''))
    .join('\n')
  const head = kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`
  try {
    await writeOwnFile(resolve(file), head + envLines(variables))
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

function textOf(file: string): string {
  try {
    return readOwnFile(file) ?? ''
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError('file_invalid', `'${file}' cannot be read: ${reasonOf(error)}`)
  }
}
