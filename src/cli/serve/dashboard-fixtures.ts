import { RESOURCES } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import { hasEventTypes } from '../../domain/core/event-types.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import type { FixtureRunResult } from '../../presentation/scene-results.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseFixtures } from '../fixtures/fixture-files.ts'
import { runSteps } from '../fixtures/fixture-run.ts'
import { toSceneFailure } from './scene-failure.ts'

const MAX_STEPS = 500

const STATE_PATHS = RESOURCES.filter(hasEventTypes).map(({ path }) => `/v1/${path}/`)

/**
 * Runs the steps of a fixture file until a step fails; `file` is its parsed JSON. Throws a UsageError for an invalid
 * file.
 */
export async function runDashboardFixtures(client: Client, file: unknown): Promise<FixtureRunResult> {
  const { fixtures } = parseFixtures('The file', file)
  if (fixtures.length > MAX_STEPS) {
    throw new UsageError(
      'file_invalid',
      `The file has ${fixtures.length} steps: the dashboard runs at most ${MAX_STEPS}.`,
      { hint: 'Run it with paycli fixtures run.' },
    )
  }
  const responses = new Map<string, object>()
  const steps: FixtureRunResult['steps'][number][] = []
  for (const step of fixtures) {
    let path = step.path
    const send: Client['send'] = async (operation, params) => {
      path = operation.path
      requireStatePath(path)
      return client.send(operation, params)
    }
    try {
      await runSteps({ ...client, send }, [step], responses)
    } catch (error) {
      return { object: 'fixture_run', steps, failure: toSceneFailure(error) }
    }
    const { name, method, expect = null } = step
    steps.push({ name, method, path, id: idOf(responses.get(name)), error_status: expect })
  }
  return { object: 'fixture_run', steps, failure: null }
}

// Fixture files may change only objects that have events. Keys, sandboxes and webhook endpoints have no events.
function requireStatePath(path: string): void {
  if (STATE_PATHS.some((one) => `${path}/`.startsWith(one))) return
  throw new UsageError('path_unknown', `The dashboard does not send requests to ${path}.`, {
    hint: 'Fixtures with API keys, webhook endpoints or sandboxes run on the command line: paycli fixtures run.',
  })
}

function idOf(response: unknown): string | null {
  return isJsonObject(response) && typeof response['id'] === 'string' ? response['id'] : null
}
