import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { findCompletions } from '../src/cli/launch/completion.ts'
import { readManifest } from '../src/cli/output/manifest.ts'
import { writeTextToStdout } from '../src/cli/output/output.ts'
import { resolveConnectionConfig } from '../src/cli/service/config.ts'
import { readStoredSandboxes } from '../src/cli/service/sandbox-keys.ts'

export default class Complete extends BaseCommand {
  static override summary = 'Print shell completions for a partial command line'
  static override hidden = true
  static override strict = false
  static override baseFlags = {}
  static override examples = toExamples(['-- customers cr'])

  override async run(): Promise<void> {
    const { commands } = readManifest(this.config.root)
    const words = this.argv[0] === '--' ? this.argv.slice(1) : this.argv
    writeTextToStdout(
      findCompletions(commands, words, storedNames)
        .map((word) => `${word}\n`)
        .join(''),
    )
  }
}

/** Returns the name of each stored sandbox of the default server, or its id if it has no name. */
function storedNames(): string[] {
  const { PAYCLI_API_BASE, PAYCLI_PROFILE } = process.env
  const { apiBase } = resolveConnectionConfig(
    { 'api-base': PAYCLI_API_BASE, profile: PAYCLI_PROFILE },
    process.env,
  )
  return [...new Set(readStoredSandboxes(process.env, apiBase).map(({ id, name }) => name ?? id))]
}
