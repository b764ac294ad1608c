import { BaseCommand } from '../src/cli/base-command.ts'
import { durationMs } from '../src/cli/durations.ts'
import { EXIT_CODES } from '../src/cli/exit-codes.ts'
import { string } from '../src/cli/options.ts'
import { printNote } from '../src/cli/output.ts'
import { until } from '../src/cli/until.ts'
import { type ServiceStatus, statusOf } from '../src/cli/whereabouts.ts'
import { ConnectionError } from '../src/client/connection-error.ts'

export default class Wait extends BaseCommand {
  static override summary = 'Waits until the service answers, and tells where it is.'
  static override description =
    'For scripts that start it in the background. Exits with 7 when it takes too long.'
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
    let status: ServiceStatus | null = null
    const answers = async () => {
      status = await statusOf(flags, process.env).catch(nullWhenUnreachable)
      return status !== null
    }
    if ((await until(answers, { timeoutMs })) && status !== null) {
      this.print(status)
      return
    }
    printNote(`No service answered within ${flags['timeout']}. Start one: paycli serve`)
    process.exitCode = EXIT_CODES.timeout
  }
}

function nullWhenUnreachable(error: unknown): null {
  if (error instanceof ConnectionError) return null
  throw error
}
