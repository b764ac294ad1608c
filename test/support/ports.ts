import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports below the ephemeral range, from which the system assigns ports to most tests. */
const [FIRST, LAST] = [20_000, 30_000]

/** Returns a free port outside the ephemeral range, so that no other process gets it before or between uses. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  const isOurs = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (isOurs) await once(probe.close(), 'close')
  return isOurs
}
