import { Agent, request } from 'undici'

/** The least that can deliver: for each receiver a loop that posts the same bytes, one after the other. */
export async function openPosting(_options: Record<string, never>) {
  const agent = new Agent()
  return {
    /** Resolves with how many seconds it took, and the microseconds of processor time of this thread for each. */
    async post(ports: readonly number[], count: number, body: string) {
      const startedMs = performance.now()
      const before = process.threadCpuUsage()
      await Promise.all(ports.map((port) => postTo(agent, { port, count, body })))
      const { user, system } = process.threadCpuUsage(before)
      const seconds = (performance.now() - startedMs) / 1000
      return { seconds, cpuEach: (user + system) / (count * ports.length) }
    },
  }
}

interface Loop {
  readonly port: number
  readonly count: number
  readonly body: string
}

async function postTo(dispatcher: Agent, { port, count, body }: Loop): Promise<void> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'accept-encoding': 'identity' }
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await request(`http://127.0.0.1:${port}/bare`, {
      method: 'POST',
      headers,
      body,
      dispatcher,
    })
    await answer.body.text()
  }
}
