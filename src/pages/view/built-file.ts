import { readFileSync } from 'node:fs'

// The URL is resolved through the package name, which works in every module and in the bundle.
const BUILT = new URL('dist/pages/', import.meta.resolve('paycli/package.json'))

/** Reads a script or style sheet that `npm run build` created from `src/pages/browser`. */
export function readBuiltFile(name: string): string {
  return readFileSync(new URL(name, BUILT), 'utf8')
}
