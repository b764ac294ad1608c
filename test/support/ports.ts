import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what systems give to whoever asks for any port, as nearly every test does. */
const [FIRST, LAST] = [20_000, 30_000]

/** A free port that nobody else is given by the system, so that it is still free when it is used, also a second time. */
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
