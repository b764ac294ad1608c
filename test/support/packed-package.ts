import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'

/** Packs the package into a folder with `npm pack`, without a new build, and returns the path of the archive. */
export function packPackage(folder: string): string {
  // The scripts of the package would rebuild files that other tests are running.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: ROOT })
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
}
