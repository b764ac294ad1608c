import { BaseCommand } from '../src/cli/command/base-command.ts'
import { Unmet } from '../src/cli/errors/expectation-error.ts'
import { durationMs } from '../src/cli/parse/durations.ts'
import { string } from '../src/cli/parse/options.ts'
import { type ReadyStatus, readyStatusOf } from '../src/cli/service/service-status.ts'
import { until } from '../src/cli/sessions/until.ts'
import { ConnectionError } from '../src/client/connection-error.ts'

export default class Wait extends BaseCommand {
  static override summary = 'Waits until the service can carry out requests, and tells where it is.'
  static override description =
    'For scripts that start it in the background. Exits with 7 when it takes too long, and with 4 when it refuses the key.'
  static override flags = {
    timeout: string({ description: 'How long to wait.', helpValue: '<30s|2m>', default: '30s' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --timeout 2m --field api_url',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const timeoutMs = durationMs('timeout', String(flags['timeout']))
    const last: { status: ReadyStatus | null } = { status: null }
    const isReady = async () => {
      last.status = await readyStatusOf(flags, process.env).catch(nullWhenUnreachable)
      return last.status !== null && last.status.database !== 'away'
    }
    const isInTime = await until(isReady, { timeoutMs })
    if (isInTime && last.status !== null) return this.print(last.status)
    throw notReady(last.status, String(flags['timeout']))
  }
}

function notReady(status: ReadyStatus | null, timeout: string): Unmet {
  if (status === null)
    return new Unmet('timeout', `No service answered within ${timeout}.`, 'Start one: paycli serve')
  const message = `The service at ${status.api_url} answers, but its database was away for ${timeout}.`
  return new Unmet('timeout', message, 'Its log says why.')
}

function nullWhenUnreachable(error: unknown): null {
  if (error instanceof ConnectionError) return null
  throw error
}
