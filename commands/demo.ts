import { rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { BaseCommand } from '../src/cli/command/base-command.ts'
import { isTerminal, printData } from '../src/cli/output/output.ts'
import { createStyle, isColorWanted } from '../src/cli/output/style.ts'
import { type ChildLocation, startChildDaemon } from '../src/cli/serve/child-daemon.ts'
import { guardHome, makeTemporaryHome } from '../src/cli/service/temporary-home.ts'
import { playStory } from '../src/cli/webhook-tools/demo-story.ts'
import { type Receiver, startReceiver } from '../src/cli/webhook-tools/receiver.ts'
import { createClient } from '../src/client/client.ts'

// What shells add to the number of the signal that ended a process.
const EXIT_AFTER_SIGNALS = 128

export default class Demo extends BaseCommand {
  static override summary =
    'Plays the whole story once: a service of its own, a sale, a payment, and the webhooks.'
  static override description = 'Everything runs on free local ports and in memory, and is gone at the end.'
  static override baseFlags = {}
  static override flags = {}
  static override examples = ['<%= config.bin %> <%= command.id %>']

  override async run(): Promise<void> {
    await this.parse(Demo)
    const interrupted = untilInterrupted()
    const home = await makeTemporaryHome()
    const guard = guardHome(home)
    let secret = ''
    const receiver = await startReceiver(() => secret)
    const env = { ...process.env, PAYCLI_HOME: home }
    const starting = startChildDaemon(['--memory', '--port', '0', '--forward-to', receiver.url], env)
    const told = starting.then(async ({ location }) => {
      secret = location.webhook_secret
      await tellStory(location, receiver)
      return 0
    })
    try {
      process.exitCode = await Promise.race([told, interrupted])
    } finally {
      const daemon = await starting.catch(() => null)
      await daemon?.stop()
      await receiver.close()
      await rm(home, { recursive: true, force: true })
      guard.release()
    }
  }
}

async function tellStory({ api_url, api_key }: ChildLocation, receiver: Receiver): Promise<void> {
  const style = createStyle(isColorWanted(undefined, process.env, isTerminal()))
  const tell = (line: string) => printData(`${line}\n`)
  tell(`${style.bold('A service')}         ${api_url}, our handler at ${receiver.url}`)
  await playStory({ client: createClient({ apiBase: api_url, apiKey: api_key }), receiver, style, tell })
  tell('\nThat was all of it. Run your own: npm start')
}

/** Resolves with the exit code for the first signal; a second one of its kind ends the process at once. */
function untilInterrupted(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve(EXIT_AFTER_SIGNALS + constants.signals[signal]))
    }
  })
}
