import { runWithoutOclif } from './launch.ts'

/** Runs a command line: through the launcher, or through oclif, which is loaded for help, plugins and unknown commands. */
export async function run(root: string, argv: readonly string[]): Promise<void> {
  const load = (file: string) => import(process.getBuiltinModule('node:url').pathToFileURL(file).href)
  const [first, ...others] = argv
  // `help customers create` is the same as `customers create --help`.
  const words = first === 'help' && others.length > 0 ? [...others, '--help'] : argv
  if (await runWithoutOclif(root, load, words)) return
  // Import oclif only here, so that other commands do not load the bundle's interop code for CommonJS modules.
  const { runWithOclif } = await import('./oclif.ts')
  await runWithOclif(root, words)
}
