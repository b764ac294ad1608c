import { join } from 'node:path'
import type { Ids } from './ids.ts'
import { readJson, writeJson } from './private-json.ts'

/** The secrets of this machine's daemon; they stay the same from run to run. */
export interface Credentials {
  readonly api_key: string
  /** Signs deliveries to `--forward-to` targets. */
  readonly webhook_secret: string
}

/** Reads the credentials in the home folder, mode 0600, and makes those that are missing. */
export async function loadCredentials(home: string, ids: Ids): Promise<Credentials> {
  const file = join(home, 'credentials.json')
  const known = (await readJson(file)) ?? {}
  const credentials = {
    api_key: typeof known.api_key === 'string' ? known.api_key : ids.newApiKey(),
    webhook_secret: typeof known.webhook_secret === 'string' ? known.webhook_secret : ids.newWebhookSecret(),
  }
  if (known.api_key !== credentials.api_key || known.webhook_secret !== credentials.webhook_secret) {
    await writeJson(file, credentials, ids.newToken)
  }
  return credentials
}

/** Makes a new key in place of one that opens nothing any more, and keeps it; the other secrets stay. */
export async function renewApiKey(home: string, known: Credentials, ids: Ids): Promise<string> {
  const credentials = { ...known, api_key: ids.newApiKey() }
  await writeJson(join(home, 'credentials.json'), credentials, ids.newToken)
  return credentials.api_key
}
