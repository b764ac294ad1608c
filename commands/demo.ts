import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BaseCommand } from '../src/cli/base-command.ts'
import { type ChildDaemon, startChildDaemon } from '../src/cli/child-daemon.ts'
import { playStory } from '../src/cli/demo-story.ts'
import { isTerminal, printData } from '../src/cli/output.ts'
import { startReceiver } from '../src/cli/receiver.ts'
import { createStyle, isColorWanted } from '../src/cli/style.ts'
import { createClient } from '../src/client/client.ts'

export default class Demo extends BaseCommand {
  static override summary =
    'Plays the whole story once: a service of its own, a sale, a payment, and the webhooks.'
  static override description = 'Everything runs on free local ports and in memory, and is gone at the end.'
  static override baseFlags = {}
  static override flags = {}
  static override examples = ['<%= config.bin %> <%= command.id %>']

  override async run(): Promise<void> {
    await this.parse(Demo)
    const style = createStyle(isColorWanted(undefined, process.env, isTerminal()))
    const tell = (line: string) => printData(`${line}\n`)
    const home = await mkdtemp(join(tmpdir(), 'paycli-demo-'))
    let daemon: ChildDaemon | null = null
    const receiver = await startReceiver(() => daemon?.location.webhook_secret ?? '')
    try {
      daemon = await startChildDaemon(['--memory', '--port', '0', '--forward-to', receiver.url], {
        ...process.env,
        PAYCLI_HOME: home,
      })
      const { api_url, api_key } = daemon.location
      tell(`${style.bold('A service')}         ${api_url}, our handler at ${receiver.url}`)
      await playStory({ client: createClient({ apiBase: api_url, apiKey: api_key }), receiver, style, tell })
      tell('\nThat was all of it. Run your own: npm start')
    } finally {
      await daemon?.stop()
      await receiver.close()
      await rm(home, { recursive: true, force: true })
    }
  }
}
