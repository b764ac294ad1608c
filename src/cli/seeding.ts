import { createClient } from '../client/client.ts'
import { readFixtures } from './fixture-files.ts'
import { runSteps } from './fixture-run.ts'

const MAX_KEY_CHARACTERS = 255

/** Carries out fixture files on a service that has just started. */
export async function seedFrom(
  files: readonly string[],
  { api_url, api_key }: { readonly api_url: string; readonly api_key: string },
): Promise<void> {
  if (files.length === 0) return
  const { fixtures } = await readFixtures(files)
  const answers = new Map<string, object>()
  for (const step of fixtures) {
    // A key that follows from the file, so that reproducible services tell the same events.
    const idempotencyKey = `seed-file ${step.name}`.replace(/[^ -~]/g, '?').slice(0, MAX_KEY_CHARACTERS)
    await runSteps(createClient({ apiBase: api_url, apiKey: api_key, idempotencyKey }), [step], answers)
  }
}
