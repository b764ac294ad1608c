import { resolve } from 'node:path'
import { UsageError } from '../errors/usage-error.ts'
import type { ServiceStatus } from '../service/service-status.ts'
import { readOptionalOwnFileOrUsageError, writePrivateFileOrUsageError } from '../service/user-file.ts'

/** Environment variables by name. */
export type EnvironmentVariables = Readonly<Record<string, string>>

/** Returns the environment variables with which paycli and other programs find a server. */
export function toEnvironmentVariables(
  status: Pick<ServiceStatus, 'api_url' | 'api_key' | 'checkout_url' | 'webhook_secret'>,
): EnvironmentVariables {
  const { api_url, api_key, checkout_url, webhook_secret } = status
  return {
    PAYCLI_API_BASE: api_url,
    ...(api_key === null ? {} : { PAYCLI_API_KEY: api_key }),
    ...(checkout_url === null ? {} : { PAYCLI_CHECKOUT_URL: checkout_url }),
    ...(webhook_secret === null ? {} : { PAYCLI_WEBHOOK_SECRET: webhook_secret }),
  }
}

/**
 * Renders variables as lines that shells, dotenv and `node --env-file` read as the same values. Throws for a value that
 * cannot be quoted for all these programs.
 */
export function formatEnvLines(variables: EnvironmentVariables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${quote(name, value)}\n`)
    .join('')
}

function quote(name: string, value: string): string {
  if (/^[\w./:@%+-]*$/.test(value)) return value
  // An unpaired surrogate has no form in UTF-8.
  if (/^[^'\p{Cc}\p{Cs}]*$/u.test(value)) return `'${value}'`
  // In double quotes, shells and dotenv interpret ", $, `, \ and !.
  if (/^[^"$`\\!\p{Cc}\p{Cs}]*$/u.test(value)) return `"${value}"`
  throw new UsageError(
    'file_invalid',
    `The value of the variable '${name}' cannot be written to an .env file.`,
    {
      hint: 'Use a value without line breaks, and without \' beside ", $, `, \\ or !.',
    },
  )
}

/** Sets variables in an .env file and keeps its other lines. The file gets mode 0600, because it contains a key. */
export async function writeEnvFile(file: string, variables: EnvironmentVariables): Promise<void> {
  const before = readOptionalOwnFileOrUsageError(file) ?? ''
  const names = new Set(Object.keys(variables))
  const kept = before
    .split('\n')
    .filter((line) => !names.has(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1] ?? ''))
    .join('\n')
  const head = kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`
  await writePrivateFileOrUsageError(resolve(file), head + formatEnvLines(variables))
}
