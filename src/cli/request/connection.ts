import { type Client, type ClientOptions, createClient } from '../../client/client.ts'
import { createDryRunClient } from '../errors/dry-run.ts'
import { printWarning } from '../output/output.ts'
import { idempotencyKeyOf } from '../parse/mutation-flags.ts'
import type { FlagValues } from '../parse/params.ts'
import { resolveConnectionConfig } from '../service/config.ts'

/** Creates a client for the API that the flags, the environment or the local daemon name. With `--dry-run` it sends no changes. */
export function clientFromFlags(
  flags: FlagValues,
  options: Pick<ClientOptions, 'timeoutMs' | 'onServerTime'> = {},
): Client {
  const config = resolveConnectionConfig(flags, process.env)
  const idempotencyKey = idempotencyKeyOf(flags)
  const client = createClient({ ...config, idempotencyKey, onWarning: printWarning, ...options })
  return flags['dry-run'] === true ? createDryRunClient(client, { ...config, idempotencyKey }) : client
}
