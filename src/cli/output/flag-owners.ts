import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'

const MAX_OWNERS = 3

/**
 * Returns the commands with a flag, such as `paycli payment-sessions create`, from the manifest in `root`. Prefers the
 * commands of the topic of the command `id`, then commands that also create or list objects, then the only other
 * command. Returns an empty array for more than three commands, because such a flag is common to different tasks.
 */
export function findFlagOwners(root: string, id: string, flag: string): string[] {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const manifest = parseJson(readFileSync(`${root}/oclif.manifest.json`, 'utf8'))
  const commands = isJsonObject(manifest) && isJsonObject(manifest['commands']) ? manifest['commands'] : {}
  const owners = Object.entries(commands).filter(([other, command]) => {
    const { flags, hidden } = isJsonObject(command) ? command : {}
    return other !== id && hidden !== true && isJsonObject(flags) && Object.hasOwn(flags, flag)
  })
  const names = owners.map(([other]) => other)
  const [topic, action] = [id.split(':')[0], id.split(':').at(-1)]
  const sameTopic = names.filter((name) => name.split(':')[0] === topic)
  const sameAction = names.filter(
    (name) => /^(?:create|list)$/.test(action ?? '') && name.split(':').at(-1) === action,
  )
  const only = names.length === 1 ? names : []
  const [nearest = []] = [sameTopic, sameAction, only].filter((list) => list.length > 0)
  return nearest.length > MAX_OWNERS ? [] : nearest.map((name) => `paycli ${name.replaceAll(':', ' ')}`)
}
