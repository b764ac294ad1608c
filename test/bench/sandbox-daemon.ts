import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import type { Client } from '../../src/client/client.ts'
import { clientOf, type DaemonServer } from './servers.ts'

/** A new sandbox with its key, and a client that uses this key. */
export interface NewSandbox {
  readonly id: string
  readonly key: string
  readonly client: Client
}

/** Creates several sandboxes one after another. */
export async function newSandboxes(server: DaemonServer, count: number): Promise<NewSandbox[]> {
  const created: NewSandbox[] = []
  while (created.length < count) {
    const { id, api_key: key } = await clientOf(server).call(sandboxes.create, {})
    created.push({ id, key, client: clientOf({ port: server.port, key }) })
  }
  return created
}
