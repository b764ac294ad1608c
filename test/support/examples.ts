import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { ROOT } from './root.ts'

/** A line of a command's help that shows how it is used. */
export interface Example {
  readonly line: string
  readonly command: Command.Class
  /** The words after the command's own name. */
  readonly argv: readonly string[]
}

const config = await Config.load({ root: ROOT, ignoreManifest: true })

/** Every example in the help of every command, but of those that only other programs call. */
export async function allExamples(): Promise<readonly Example[]> {
  const listed = config.commands.filter(({ id, aliases }) => !aliases.includes(id))
  const found = listed.map(async (loadable) => {
    const command = await loadable.load()
    const texts = (command.examples ?? []).map(String)
    return texts.map((text) => exampleOf(command, text))
  })
  return (await Promise.all(found)).flat()
}

function exampleOf(command: Command.Class, text: string): Example {
  const name = command.id.replaceAll(':', ' ')
  const line = text.replace('<%= config.bin %>', 'paycli').replace('<%= command.id %>', name)
  const words = wordsOf(line)
  const own = ['paycli', ...name.split(' ')]
  if (words.slice(0, own.length).join(' ') !== own.join(' '))
    throw new Error(`no example of ${name}: ${line}`)
  return { line, command, argv: words.slice(own.length) }
}

// As a shell would split it, of whose signs no more is needed than quotes and the ends of a command.
function wordsOf(line: string): string[] {
  const inner = /^source <\((.*)\)$/.exec(line)?.[1] ?? line
  const [alone = ''] = inner.split(/ [|>] (?=[^']*(?:'[^']*'[^']*)*$)/)
  const words = alone.match(/(?:'[^']*'|[^\s'])+/g) ?? []
  return words.map((word) => word.replaceAll("'", ''))
}
