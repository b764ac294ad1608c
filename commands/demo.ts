import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { isStdoutTerminal, writeToStdout } from '../src/cli/output/output.ts'
import { replaceProgramName } from '../src/cli/output/program-name.ts'
import { createStyle, isColorEnabled } from '../src/cli/output/style.ts'
import type { StartedServer } from '../src/cli/serve/started-server.ts'
import { startTemporaryServer } from '../src/cli/serve/temporary-server.ts'
import { toShellExitCode } from '../src/cli/service/processes.ts'
import { runDemoScenario } from '../src/cli/trigger/demo-scenario.ts'
import { type DemoHandler, startDemoHandler } from '../src/cli/webhook-tools/demo-handler.ts'
import { createClient } from '../src/client/client.ts'

export default class Demo extends BaseCommand {
  static override summary = 'Run a demo with a sale, a payment and signed webhooks'
  static override description =
    'Starts a server on free local ports, with data in memory, and stops it at the end.'
  static override baseFlags = {}
  static override flags = {}
  static override examples = toExamples([''])

  override async run(): Promise<void> {
    await this.parse(Demo)
    const interrupted = waitForInterrupt()
    let secret = ''
    const handler = await startDemoHandler(() => secret)
    const starting = startTemporaryServer(['--memory', '--port', '0', '--forward-to', handler.url])
    const finished = starting.then(async ({ location }) => {
      secret = location.webhook_secret
      await runScenario(location, handler)
      return 0
    })
    try {
      process.exitCode = await Promise.race([finished, interrupted])
    } finally {
      const server = await starting.catch(() => null)
      await server?.close()
      await handler.close()
    }
  }
}

async function runScenario({ api_url, api_key }: StartedServer, handler: DemoHandler): Promise<void> {
  const style = createStyle(isColorEnabled(undefined, process.env, isStdoutTerminal()))
  const print = (line: string) => writeToStdout(`${line}\n`)
  const client = createClient({ apiBase: api_url, apiKey: api_key })
  await runDemoScenario({ client, handler, style, print }, api_url)
  print(replaceProgramName('\nThe demo is complete. Start your own server: paycli serve'))
}

/** Resolves with the exit code of the first signal. A second signal of the same kind ends the process immediately. */
function waitForInterrupt(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve(toShellExitCode(null, signal)))
    }
  })
}
