import { homedir } from 'node:os'
import { execute } from '@oclif/core/execute'
import { settings } from '@oclif/core/settings'
import { getDataFolder } from '../../domain/text/data-folder.ts'

/** Runs a command line with oclif. */
export async function runWithOclif(root: string, argv: readonly string[]): Promise<void> {
  // With NODE_ENV=development, oclif would look for TypeScript sources and compile them.
  settings.enableAutoTranspile = false
  // oclif reads the user's plugins from this folder.
  process.env['PAYCLI_DATA_DIR'] = getDataFolder(process.env, homedir())
  await execute({ args: [...argv], dir: root })
}
