import { type Client, type ClientOptions, createClient } from '../../client/client.ts'
import { withoutChanges } from '../errors/dry-run.ts'
import { printWarning } from '../output/output.ts'
import { idempotencyKeyOf } from '../parse/create-flags.ts'
import type { FlagValues } from '../parse/params.ts'
import { readConfig } from '../service/config.ts'

/** A client of the API that the flags, the environment or the local daemon name; it heeds `--dry-run`. */
export function connect(flags: FlagValues, limits: Pick<ClientOptions, 'timeoutMs'> = {}): Client {
  const config = readConfig(flags, process.env)
  const idempotencyKey = idempotencyKeyOf(flags)
  const client = createClient({ ...config, idempotencyKey, onWarning: printWarning, ...limits })
  return flags['dry-run'] === true ? withoutChanges(client, { ...config, idempotencyKey }) : client
}
