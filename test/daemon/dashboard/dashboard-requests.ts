import { sandboxes } from '../../../src/api/operations/sandboxes.ts'
import { type Client, createClient } from '../../../src/client/client.ts'
import type { TestDaemon } from '../../support/daemon.ts'
import type { SignedInBrowser } from '../../support/dashboard.ts'
import { type HttpResponse, sendRequest } from '../../support/raw-http.ts'

/** Scenes that only return their type and the id of their sandbox. */
export const SCENES = {
  list: async () => [],
  run: async (type: string, sandbox: string) => ({ type, sandbox }),
  runFixtures: async () => ({}),
}

/** A sandbox of a daemon with its secret key. */
export interface KeyedSandbox {
  readonly id: string
  readonly key: string
  readonly client: Client
}

/** Creates a sandbox. */
export async function createKeyedSandbox(daemon: TestDaemon, name: string): Promise<KeyedSandbox> {
  const { id, api_key: key } = await daemon.call(sandboxes.create, { name })
  return { id, key, client: createClient({ apiBase: daemon.location.api_url, apiKey: key }) }
}

/** Sends a request to a path of a daemon; a POST has an empty object as its body. */
export function send(
  daemon: TestDaemon,
  path: string,
  headers: SignedInBrowser['headers'],
  method = 'GET',
): Promise<HttpResponse> {
  if (method === 'POST') return sendChange(daemon, path, headers, {})
  return sendRequest(`${daemon.location.api_url}${path}`, { method, headers })
}

/** Sends a POST with a JSON body to a path of a daemon. */
export function sendChange(
  { location }: TestDaemon,
  path: string,
  headers: SignedInBrowser['headers'],
  body: object,
): Promise<HttpResponse> {
  return sendRequest(`${location.api_url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}
