import { Agent, request } from 'undici'
import { threadCpuMicroseconds } from './machine-time.ts'

/** Opens a minimal sender of webhooks: one loop per endpoint that posts the same bytes sequentially. */
export async function openBareDelivery(_options: Record<string, never>) {
  const agent = new Agent()
  return {
    /** Resolves with the duration in seconds, and the processor time of this thread per request in microseconds. */
    async post(ports: readonly number[], count: number, body: string) {
      const startedMs = performance.now()
      const before = threadCpuMicroseconds()
      await Promise.all(ports.map((port) => postTo(agent, { port, count, body })))
      const seconds = (performance.now() - startedMs) / 1000
      return { seconds, cpuEach: (threadCpuMicroseconds() - before) / (count * ports.length) }
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
