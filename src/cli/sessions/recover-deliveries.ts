import { parsePast } from '../parse/past-timestamp.ts'
import { sendFromFlags, type Task } from '../request/call.ts'

/** What says when events were missed, as a moment or as so long ago. */
const MOMENTS = ['since', 'until']

/** Sends again what an endpoint missed; `--since 10m` and `--until 5m` are so long before the service's now. */
export async function recoverMissed({ call, given, client, print }: Task): Promise<void> {
  const said = MOMENTS.filter((flag) => given.flags[flag] !== undefined)
  const now = said.length === 0 ? 0 : await client.now()
  const moments = said.map((flag) => [flag, String(parsePast(flag, String(given.flags[flag]), now))])
  const flags = { ...given.flags, ...Object.fromEntries(moments) }
  await print(await sendFromFlags(call, { ...given, flags }, client))
}
