import { readFileSync } from 'node:fs'

// The package's own name finds the folder from any module of the package, also from a bundle.
const BUILT = new URL('dist/pages/', import.meta.resolve('paycli/package.json'))

/** Reads a script or style sheet that `npm run build` created from `src/pages/browser`. */
export function readBuiltFile(name: string): string {
  return readFileSync(new URL(name, BUILT), 'utf8')
}
