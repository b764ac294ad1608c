import { createBareService } from './bare-service.ts'
import { listenLocally } from './listen-locally.ts'
import { threadCpuMicroseconds } from './machine-time.ts'
import { recordWithEvent } from './records.ts'

const PAGE = 10

/** Starts a minimal Koa server that returns the same JSON as paycli, and stores nothing. */
export async function startBareKoa(_options: Record<string, never>) {
  const records = Array.from({ length: PAGE }, (_, at) =>
    recordWithEvent(at, { blend: 'customers', size: PAGE }),
  )
  const data = records.map(({ record }) => record)
  const page = { object: 'list', url: '/v1/customers', data, has_more: true }
  const port = await listenLocally(createBareService({ record: data[0] ?? {}, page }))
  return {
    port: () => port,
    cpuMicroseconds: threadCpuMicroseconds,
  }
}
