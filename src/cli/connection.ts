import { type Client, type ClientOptions, createClient } from '../client/client.ts'
import { readConfig } from './config.ts'
import { idempotencyKeyOf } from './create-flags.ts'
import { withoutChanges } from './dry-run.ts'
import { printWarning } from './output.ts'
import type { FlagValues } from './params.ts'

/** A client of the API that the flags, the environment or the local daemon name; it heeds `--dry-run`. */
export function connect(flags: FlagValues, limits: Pick<ClientOptions, 'timeoutMs'> = {}): Client {
  const config = readConfig(flags, process.env)
  const idempotencyKey = idempotencyKeyOf(flags)
  const client = createClient({ ...config, idempotencyKey, onWarning: printWarning, ...limits })
  return flags['dry-run'] === true ? withoutChanges(client, { ...config, idempotencyKey }) : client
}
