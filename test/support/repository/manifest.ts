import { isDeepStrictEqual } from 'node:util'
import { Plugin } from '@oclif/core'

type Manifest = { version?: unknown; commands?: Record<string, unknown> }

const REMEDY = 'run npm run manifest'

/** Reads the commands of the compiled package at `root` with the class and the options of `oclif manifest`. */
export async function currentManifest(root: string): Promise<Manifest> {
  const plugin = new Plugin({
    errorOnManifestCreate: true,
    ignoreManifest: true,
    respectNoCacheDefault: true,
    root,
    type: 'core',
  })
  await plugin.load()
  // JSON omits undefined values, and so does the file.
  return JSON.parse(JSON.stringify(plugin.manifest)) as Manifest
}

/**
 * Returns the text of oclif.manifest.json. oclif lists commands in the order of the file system, which differs between
 * machines. The text is sorted, so that `npm pack` does not change the file.
 */
export function manifestText({ commands = {}, ...others }: Manifest): string {
  const sorted = Object.fromEntries(Object.entries(commands).sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify({ commands: sorted, ...others }, null, 2)}\n`
}

/** Returns a problem for each difference between oclif.manifest.json, undefined if missing, and the current manifest. */
export function manifestProblems(text: string | undefined, current: Manifest): string[] {
  if (text === undefined) return [`there is no oclif.manifest.json: ${REMEDY}`]
  const written = JSON.parse(text) as Manifest
  const [before, now] = [written.commands ?? {}, current.commands ?? {}]
  const ids = new Set([...Object.keys(before), ...Object.keys(now)])
  const stale = [...ids].filter((id) => !isDeepStrictEqual(before[id], now[id]))
  const problems = stale.map((id) => `oclif.manifest.json is stale for '${id}': ${REMEDY}`)
  if (written.version !== current.version)
    problems.push(`oclif.manifest.json is of another version: ${REMEDY}`)
  if (problems.length === 0 && text !== manifestText(current))
    problems.push(`oclif.manifest.json is not written as npm pack writes it: ${REMEDY}`)
  return problems
}

/** Returns a problem for each compiled file without a source: oclif would still offer such a command. */
export function compiledWithoutSource(compiled: string[], sources: string[]): string[] {
  return compiled
    .filter((path) => !sources.some((source) => source.replace(/\.tsx?$/, '.js') === path))
    .map((path) => `dist/${path} has no source: delete dist and build`)
}
