import { join } from 'node:path'
import type { Ids } from './ids.ts'
import { readJson, writeJson } from './private-json.ts'

/** The secrets of the daemons of a home folder; they persist across restarts. */
export interface Credentials {
  readonly api_key: string
  /** Signs deliveries to `--forward-to` targets. */
  readonly webhook_secret: string
}

/** Reads the credentials file of the home folder, mode 0600, and generates missing secrets. */
export async function loadCredentials(home: string, ids: Ids): Promise<Credentials> {
  const file = join(home, 'credentials.json')
  const stored = (await readJson(file)) ?? {}
  const credentials = {
    api_key: typeof stored.api_key === 'string' ? stored.api_key : ids.newApiKey(),
    webhook_secret:
      typeof stored.webhook_secret === 'string' ? stored.webhook_secret : ids.newWebhookSecret(),
  }
  if (stored.api_key !== credentials.api_key || stored.webhook_secret !== credentials.webhook_secret) {
    await writeJson(file, credentials, ids.newToken)
  }
  return credentials
}

/** Generates and stores a new API key, which it returns; the other secrets stay. */
export async function replaceApiKey(home: string, current: Credentials, ids: Ids): Promise<string> {
  const credentials = { ...current, api_key: ids.newApiKey() }
  await writeJson(join(home, 'credentials.json'), credentials, ids.newToken)
  return credentials.api_key
}
