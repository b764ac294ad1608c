import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { ExpectationError } from '../src/cli/errors/expectation-error.ts'
import { printNote } from '../src/cli/output/output.ts'
import { parseDurationSeconds } from '../src/cli/parse/duration.ts'
import { string } from '../src/cli/parse/flag-builders.ts'
import { type FlagValues, listFlagValues } from '../src/cli/parse/params.ts'
import { findKeySourceHint } from '../src/cli/service/key-source.ts'
import {
  KEY_CHECK_OPERATION,
  readStatusWithReadiness,
  type StatusWithReadiness,
} from '../src/cli/service/service-status.ts'
import { pollUntil } from '../src/cli/sessions/poll-until.ts'
import { ConnectionError } from '../src/client/connection-error.ts'

export default class Wait extends BaseCommand {
  static override summary = 'Wait until the server is ready'
  static override description =
    'Use this command in scripts that start the server in the background. Prints the addresses of the server. Exits with 7 after the timeout. Exits with 4 if the server rejects the API key, or if --field api_key finds no key.'
  static override flags = {
    timeout: string({ description: 'Maximum time to wait.', helpValue: '<30s|2m>', default: '30s' }),
  }
  static override examples = toExamples(['', '--timeout 2m --field api_url'])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const timeoutMs = parseDurationSeconds('timeout', String(flags['timeout'])) * 1000
    const last: { status: StatusWithReadiness | null; error: ConnectionError | null } = {
      status: null,
      error: null,
    }
    const isReady = async () => {
      const hasResponded = last.status !== null
      last.status = await readStatusWithReadiness(flags, process.env).catch((error: unknown) => {
        if (!(error instanceof ConnectionError)) throw error
        last.error = error
        return null
      })
      if (last.status === null || last.status.database === 'away') return false
      // A starting server stores its key before its first response, but after this command first looked for the key.
      return last.status.api_key !== null || hasResponded
    }
    await pollUntil(isReady, timeoutMs)
    if (last.status !== null && last.status.database !== 'away') {
      if (last.status.api_key === null) await this.reportMissingKey(flags)
      return this.print(last.status)
    }
    // Another program may respond at the address of the server.
    if (last.status === null && last.error !== null && last.error.code !== 'connection_refused') {
      const { message, hint } = last.error
      throw new ExpectationError('timeout', message.replace(hint, `Waited ${flags['timeout']}.`), hint)
    }
    throw notReadyError(last.status, String(flags['timeout']), flags['api-base'] !== undefined)
  }

  // A script may only wait until the server is ready, so the missing key is an error only when the script reads the key.
  private async reportMissingKey(flags: FlagValues): Promise<void> {
    const fields = listFlagValues(flags['field'])
    // The response is the error that every later command would get.
    if (fields.includes('api_key')) await this.client().send(KEY_CHECK_OPERATION, { limit: 1 })
    if (fields.length > 0) return
    printNote(await findKeySourceHint(flags, this.argv, process.env))
  }
}

function notReadyError(
  status: StatusWithReadiness | null,
  timeout: string,
  isAddressGiven: boolean,
): ExpectationError {
  if (status === null)
    return new ExpectationError(
      'timeout',
      `No server responded within ${timeout}.`,
      isAddressGiven ? 'Check --api-base or PAYCLI_API_BASE.' : 'Start one: paycli serve',
    )
  const message = `The server at ${status.api_url} responds, but its database was unavailable for ${timeout}.`
  return new ExpectationError('timeout', message, 'See the log of the server.')
}
