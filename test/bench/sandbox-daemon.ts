import type { ParamsOf } from '../../src/api/core/operation.ts'
import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import type { Client } from '../../src/client/client.ts'
import type { Bench } from './figure.ts'
import { clientOf, type DaemonServer, startDaemonServer } from './servers.ts'

/** A new sandbox with its key, and a client that acts inside it. */
export interface NewSandbox {
  readonly id: string
  readonly key: string
  readonly client: Client
}

/** Creates a sandbox. */
export async function newSandbox(
  server: DaemonServer,
  params: ParamsOf<typeof sandboxes.create> = {},
): Promise<NewSandbox> {
  const { id, api_key: key } = await clientOf(server).call(sandboxes.create, params)
  return { id, key, client: clientOf({ port: server.port, key }) }
}

/** Creates several sandboxes one after another. */
export async function newSandboxes(server: DaemonServer, count: number): Promise<NewSandbox[]> {
  const created: NewSandbox[] = []
  while (created.length < count) created.push(await newSandbox(server))
  return created
}

/** Runs work with a new daemon that keeps everything in memory. */
export async function withMemoryDaemon<T>(
  bench: Bench,
  work: (server: DaemonServer) => Promise<T>,
): Promise<T> {
  const { folder, ...place } = await bench.ground.empty()
  const server = await startDaemonServer(bench, { folder, file: null })
  try {
    return await work(server)
  } finally {
    await server.end()
    await bench.ground.release({ folder, ...place })
  }
}
