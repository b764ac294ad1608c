import type { Command } from '@oclif/core'

/** The commands of paycli by id, such as `customers:create`, as `npm run manifest` writes them. */
export interface CommandManifest {
  readonly version: string
  readonly commands: Readonly<Record<string, Command.Cached>>
}

/** Reads oclif's manifest of the package in `root`. */
export function readManifest(root: string): CommandManifest {
  // Importing node:fs would load its streams too.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  return JSON.parse(readFileSync(`${root}/oclif.manifest.json`, 'utf8'))
}
