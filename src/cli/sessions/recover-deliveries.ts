import { parsePastTimestamp } from '../parse/timestamp.ts'
import { type CommandContext, sendFromFlags } from '../request/call.ts'

const TIME_FLAGS = ['since', 'until']

/** Resends the events that an endpoint missed. `--since 10m` means 10 minutes before the service's current time. */
export async function recoverDeliveries({ operation, input, client, print }: CommandContext): Promise<void> {
  const names = TIME_FLAGS.filter((name) => input.flags[name] !== undefined)
  const now = names.length === 0 ? 0 : await client.now()
  const times = names.map((name) => [name, String(parsePastTimestamp(name, String(input.flags[name]), now))])
  const flags = { ...input.flags, ...Object.fromEntries(times) }
  await print(await sendFromFlags(operation, { ...input, flags }, client))
}
